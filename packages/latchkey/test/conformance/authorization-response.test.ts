import { type BehaviorName, type Entry } from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import type { Reason } from "../../src/errors/reasons.ts";
import { signIn, startLogin, withParameter } from "./world/attempt.ts";
import { signInUnder, titledCases } from "./world/behavior-cases.ts";
import { subjects } from "./world/behavior-subjects.ts";
import { startHostileWorld } from "./world/hostile-world.ts";
import { expectQuietAnswer, expectRefused, expectSignedIn } from "./world/oracles.ts";
import { logsStayQuiet } from "./world/quiet-logs.ts";

const [responses] = subjects["authorization-response.test.ts"];
const world = await startHostileWorld();

/** The only acceptable reason for the rejection of these responses. */
const reasonOf: Partial<Record<BehaviorName, Reason>> = {
  "FAPI-012": "response_iss_mismatch",
  "FAPI-013": "response_iss_missing",
  "FAPI-014/altered": "state_mismatch",
  "FAPI-014/missing": "state_missing",
  "STD-001/access_denied": "sign_in_cancelled",
  "STD-001/login_required": "provider_interaction_required",
  "STD-001/server_error": "provider_trouble",
  "STD-001/unknown": "provider_denied",
  "STD-001/wrong-state": "state_mismatch",
  "STD-002": "response_ambiguous",
  "STD-003/code": "parameter_repeated",
  "STD-003/state": "parameter_repeated",
  "STD-003/iss": "parameter_repeated",
  "STD-003/query-and-form": "parameter_repeated",
  "STD-046": "response_iss_mismatch",
  "STD-063": "response_iss_mismatch",
  "STD-064/code": "response_iss_missing",
  "STD-064/error": "response_iss_missing",
  "STD-065/wrong": "response_iss_mismatch",
};

/** Responses without a pending login in this browser: they change no login. */
const isUnrelated = (name: string) => name.startsWith("FAPI-014") || name === "STD-001/wrong-state";

/** Without a requested code, a code in the response is ignored. */
const isAboutCodes = (name: string) => /^STD-(?:002|003\/code|017|042)/.test(name);

/**
 * The iss parameter may be missing beside an ID token, whose issuer is verified (RFC 9207, section
 * 4).
 */
const isIssLeftOut = (name: string) => name === "FAPI-013" || name === "STD-064/code";

const cases = (expectation: Entry["expect"]) =>
  titledCases(responses)(expectation).filter(
    ([, { name, responseType }]) =>
      (responseType !== "id_token" || !isAboutCodes(name)) &&
      (responseType === "code" || !isIssLeftOut(name)),
  );

describe("the app rejects an authorization response, without a token request, when the provider", () => {
  test.each(cases("refuse"))("%s", async (_, each) => {
    const attempt = await signInUnder(world, each);
    const isGuessed = each.id === "STD-042" && each.responseType === "code";
    const reason = reasonOf[each.name];
    expectRefused(world, attempt, {
      ...(reason === undefined ? {} : { reason }),
      isOurs: !isUnrelated(each.name),
      noCallTo: isGuessed ? ["userinfo"] : ["token", "userinfo"],
    });
  });
});

describe("the app accepts an authorization response when the provider", () => {
  test.each(cases("accept"))("%s", async (_, each) => {
    await expectSignedIn(world, await signInUnder(world, each));
  });
});

test.each(["code id_token", "id_token"] as const)(
  "the app accepts a response without the promised iss, with response type %s, since the ID token names the issuer (RFC 9207, 4) [FAPI-013, STD-064]",
  async (responseType) => {
    await expectSignedIn(world, await signInUnder(world, { name: "FAPI-013", responseType }));
    world.provider.behave(["FAPI-013", "FAPI-004/wrong"]);
    const reason = "token_issuer";
    expectRefused(world, await signIn(world), { reason, noCallTo: ["token", "userinfo"] });
  },
);

test.each(["STD-031/uninvited-form", "STD-031/query-instead-of-form"] as const)(
  "the app rejects a response in a mode other than the requested one: %s (OAuth 2.0 Form Post Response Mode 1.0) [STD-031]",
  async (name) => {
    const { callback } = await signInUnder(world, { name, responseType: "code" });
    expect(callback?.answer.status).toBe(405);
    expect(callback?.answer.headers.get("allow")).toMatch(/^(?:POST|GET, HEAD)$/);
    expect(callback?.after).toEqual(callback?.before);
    expect(callback?.calls).toEqual([]);
  },
);

describe("the error text of the provider", () => {
  async function textUnder(name: BehaviorName) {
    await signInUnder(world, { name, responseType: "code" });
    return world.problems.at(-1)?.providerText;
  }

  test("appears only after state has matched (OpenID Connect Core 3.1.2.6) [STD-001, CERT-044]", async () => {
    expect(await textUnder("STD-001/server_error")).toBe("Something broke.");
    expect(await textUnder("STD-001/wrong-state")).toBeUndefined();
    expect(await textUnder("FAPI-012")).toBeUndefined();
  });

  test("is cut after 300 characters and fits on one line [ASVS-16.4.1]", async () => {
    const description = `a\r\nb\u2028c\u001b[31m${"d".repeat(1_000_000)}`.slice(0, 12_000);
    world.setUp({
      conduct: {
        authorizationResponse: (own) => [
          ["error", "server_error"],
          ["error_description", description],
          ...own.filter(([name]) => name !== "code"),
        ],
      },
    });
    const event = expectRefused(world, await signIn(world), { reason: "provider_trouble" });
    const text = world.problems.at(-1)?.providerText ?? "";
    expect(text).toMatch(/^a b c \[31md+$/);
    expect(text).toHaveLength(300);
    // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(event.detail).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
  });

  test.each(["text/html", "application/json", "text/plain"])(
    "never becomes markup in a response of type %s [ATK-001, ATK-052]",
    async (accept) => {
      world.setUp({ conduct: "ATK-001" });
      const browser = world.browser();
      const login = await startLogin(world, browser);
      const returned = await world.provider.visit(login.location);
      const answer = await browser.request(returned?.url ?? "", { headers: { accept } });
      expect(answer.status).toBe(400);
      expectQuietAnswer(world, answer);
      expect(answer.headers.get("content-type")).toContain(accept);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    },
  );
});

describe("an app with two providers", () => {
  test("rejects the code of an attacker at the other provider, even if neither sends iss (RFC 9700, 4.4) [STD-046, ATK-106]", async () => {
    world.setUp({ conduct: "PROVIDERS/no-iss-parameter" });
    const tamper = withParameter("code", "code-of-the-attacker-000");
    const attempt = await signIn(world, { tamper });
    expectRefused(world, attempt, { reason: "code_rejected" });
  });
});

logsStayQuiet(world);
