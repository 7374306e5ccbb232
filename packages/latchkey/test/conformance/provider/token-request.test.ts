import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";

import { type Attempt } from "../world/attempt.ts";
import { type ResponseType, signInUnder, titledCases } from "../world/behavior-cases.ts";
import { subjects } from "../world/behavior-subjects.ts";
import { notFound, startHostileWorld } from "../world/hostile-world.ts";
import { expectRefused, expectRefusedOrSignedIn, expectSignedIn } from "../world/oracles.ts";
import { logsStayQuiet } from "../world/quiet-logs.ts";
import { longTests } from "../../long-tests.ts";

const world = await startHostileWorld();

const withCode: readonly ResponseType[] = ["code", "code id_token"];

const [tokenResponses, pushedRequests] = subjects["provider/token-request.test.ts"];
const cases = titledCases(tokenResponses, withCode);

describe("the app rejects a token response, without a userinfo request, when the provider", () => {
  test.each(cases("refuse"))("%s", async (_, each) => {
    expectRefused(world, await signInUnder(world, each));
  });
});

describe("the app accepts a token response when the provider", () => {
  test.each(cases("accept"))("%s", async (_, each) => {
    await expectSignedIn(world, await signInUnder(world, each));
    expect(world.provider.complaints).toEqual([]);
  });
});

describe("the app accepts or rejects a token response, and stays intact, when the provider", () => {
  test.each(cases("either"))("%s", async (_, each) => {
    await expectRefusedOrSignedIn(world, await signInUnder(world, each));
  });
});

function authorizationParameters({ login }: Attempt): URLSearchParams {
  return new URL(login.location).searchParams;
}

const logins = longTests ? 10_000 : 1000;

describe("PKCE", () => {
  test("as well as state and nonce has 256 random bits, without repetition in thousands of logins (RFC 9700, 2.1.1) [STD-043, ASVS-11.5.1]", async () => {
    const auth = world.setUp();
    const seen = { state: new Set(), nonce: new Set(), code_challenge: new Set() };
    for (let count = 0; count < logins; count += 1) {
      // Let timers run, or the next test gets a connection closed by its server.
      if (count % 100 === 0) await nextTurn();
      const answer = await auth.respond(new Request(`${world.baseURL}/api/auth/login`), notFound);
      const { searchParams } = new URL(answer.headers.get("location") ?? "");
      for (const name of ["state", "nonce", "code_challenge"] as const) {
        const value = searchParams.get(name) ?? "";
        if (Buffer.from(value, "base64url").length >= 32) seen[name].add(value);
      }
    }
    expect(Object.values(seen).map(({ size }) => size)).toEqual([logins, logins, logins]);
  });
});

describe("a pushed authorization request", () => {
  const pushed = titledCases(pushedRequests, ["code"]);

  test.each(pushed("login-fails"))("redirects no browser after a failure: %s", async (_, each) => {
    const before = world.events.length;
    world.provider.resetLog();
    const { login } = await signInUnder(world, each);
    const status = each.name.endsWith("429") ? 503 : 500;
    expect([login.status, login.location]).toEqual([status, ""]);
    expect(login.headers.getSetCookie()).toEqual([]);
    const refusals = world.events.slice(before).filter(({ event }) => event === "refusal");
    expect(refusals).toMatchObject([{ route: "login", status }]);
    expect(world.provider.requestsTo("authorization")).toEqual([]);
  });

  test.each(pushed("accept"))(
    "leaves only client and reference in the browser after a success: %s (RFC 9126, 4) [STD-071]",
    async (_, each) => {
      world.provider.resetLog();
      const attempt = await signInUnder(world, each);
      await expectSignedIn(world, attempt);
      expect([...authorizationParameters(attempt).keys()].toSorted()).toEqual([
        "client_id",
        "request_uri",
      ]);
      const [request, ...more] = world.provider.requestsTo("pushed");
      expect(more).toEqual([]);
      expect([request?.method, request?.form.has("request_uri")]).toEqual(["POST", false]);
      expect(request?.headers.authorization).toMatch(/^Basic /);
      expect(world.provider.complaints).toEqual([]);
    },
  );
});

logsStayQuiet(world);
