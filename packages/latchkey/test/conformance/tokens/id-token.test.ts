import type { BehaviourName, Endpoint, Entry } from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import {
  type Case,
  casesOf,
  isBehindOnly,
  isExpected,
  responseTypes,
  signInUnder,
  titled,
} from "../world/behaviour-cases.ts";
import { startHostileWorld } from "../world/hostile-world.ts";
import { expectRefused, expectSignedIn } from "../world/oracles.ts";
import { logsStayQuiet } from "../world/quiet-logs.ts";

const world = await startHostileWorld();

/** Those about size, and those that show only together with something else, have tests of their own. */
const elsewhere: readonly string[] = ["STD-129", "STD-141", "PROVIDERS/c_hash-in-code-flow"];
const tooLarge: readonly BehaviourName[] = ["STD-085/megabyte", "STD-089/large-token"];

function isAboutIDTokens({ behaviour: { idToken, keySet, newKeys, alg, logoutToken } }: Entry) {
  const concerns = idToken ?? keySet ?? newKeys ?? alg;
  return concerns !== undefined && logoutToken === undefined;
}

const cases = (...expectations: Parameters<typeof isExpected>[1][]) =>
  titled(
    casesOf(
      (name, entry) =>
        isAboutIDTokens(entry) &&
        isExpected(entry, ...expectations) &&
        !elsewhere.includes(name) &&
        !tooLarge.includes(name),
    ),
  );

/** A token that came with the browser is checked before anything else is done with the response. */
function forbiddenAfter(each: Case): readonly Endpoint[] {
  const isInFront = each.responseType !== "code" && !isBehindOnly(each);
  return isInFront ? ["token", "userinfo"] : ["userinfo"];
}

/** A key set that is beyond measure is the provider's fault, not that of the response. */
const statusOf = ({ name }: Case) => (/large-key-set|many-keys/.test(name) ? 500 : 400);

describe("an ID token is refused that", () => {
  test.each(cases("refuse"))("%s", async (_, each) => {
    const attempt = await signInUnder(world, each);
    expectRefused(world, attempt, { status: statusOf(each), noCallTo: forbiddenAfter(each) });
    expect(world.provider.stranger.requests).toEqual([]);
  });
});

describe("an ID token is taken that", () => {
  test.each(cases("accept"))("%s", async (_, each) => {
    const attempt = await signInUnder(world, each);
    expect(await expectSignedIn(world, attempt)).toHaveProperty("sub");
    expect(world.provider.complaints).toEqual([]);
  });

  test("has a c_hash in the code flow, where none is due", async () => {
    const name = "PROVIDERS/c_hash-in-code-flow";
    await expectSignedIn(world, await signInUnder(world, { name, responseType: "code" }));
  });
});

describe("an ID token may be taken or refused, and nothing breaks, that", () => {
  test.each(cases("either"))("%s", async (_, each) => {
    const attempt = await signInUnder(world, each);
    if (attempt.callback?.answer.status === 400) expectRefused(world, attempt);
    else await expectSignedIn(world, attempt);
  });
});

describe("an ID token is refused unread that", () => {
  test.each(tooLarge.flatMap((name) => responseTypes.map((type) => [name, type] as const)))(
    "is as large as %s, with response type %s (RFC 8725, 3.10) [STD-085, STD-089]",
    async (name, responseType) => {
      const attempt = await signInUnder(world, { name, responseType });
      if (responseType === "code") {
        const status = name === "STD-085/megabyte" ? 500 : 400;
        expectRefused(world, attempt, { status });
      } else {
        // The form is not read to its end, so nobody knows whose answer it is.
        expectRefused(world, attempt, {
          status: 413,
          reason: "body_too_large",
          noCallTo: ["token", "userinfo"],
          isOurs: false,
        });
      }
    },
  );
});

test("after a refusal nothing more is asked of the provider, also not a while later", async () => {
  const refused = [
    "CERT-022",
    "STD-017",
    "STD-001/server_error",
    "CERT-040",
    "STD-004/no-id-token",
  ] as const;
  for (const name of refused) {
    world.provider.resetLog();
    expectRefused(world, await signInUnder(world, { name, responseType: "code" }), {
      noCallTo: [],
    });
  }
  const asked = world.provider.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(world.provider.requests).toHaveLength(asked);
});

test("each sign-in asks for an ID token with a nonce of its own, in every flow [CERT-004]", async () => {
  const nonces = new Set<string | undefined>();
  for (const responseType of responseTypes) {
    world.setUp({ options: { responseType } });
    const login = await world.browser().request("/api/auth/login");
    nonces.add(new URL(login.location).searchParams.get("nonce") ?? undefined);
  }
  expect(nonces.size).toBe(responseTypes.length);
  expect(nonces).not.toContain(undefined);
});

logsStayQuiet(world);
