import type { BehaviorName, Endpoint, Entry } from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import {
  type Case,
  casesOf,
  isBehindOnly,
  isExpected,
  responseTypes,
  signInUnder,
  titled,
} from "../world/behavior-cases.ts";
import { startHostileWorld } from "../world/hostile-world.ts";
import { expectRefused, expectSignedIn } from "../world/oracles.ts";
import { logsStayQuiet } from "../world/quiet-logs.ts";

const world = await startHostileWorld();

/** Size limits and combined faults have their own tests. */
const elsewhere: readonly string[] = ["STD-129", "STD-141", "PROVIDERS/c_hash-in-code-flow"];
const tooLarge: readonly BehaviorName[] = ["STD-085/megabyte", "STD-089/large-token"];

function isAboutIDTokens({ behavior: { idToken, keySet, newKeys, alg, logoutToken } }: Entry) {
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

/** A token in the front channel is checked before the rest of the response. */
function forbiddenAfter(each: Case): readonly Endpoint[] {
  const isInFront = each.responseType !== "code" && !isBehindOnly(each);
  return isInFront ? ["token", "userinfo"] : ["userinfo"];
}

/** An excessive key set is a fault of the provider, not of the response. */
const statusOf = ({ name }: Case) => (/large-key-set|many-keys/.test(name) ? 500 : 400);

describe("rejects an ID token that", () => {
  test.each(cases("refuse"))("%s", async (_, each) => {
    const attempt = await signInUnder(world, each);
    expectRefused(world, attempt, { status: statusOf(each), noCallTo: forbiddenAfter(each) });
    expect(world.provider.stranger.requests).toEqual([]);
  });
});

describe("accepts an ID token that", () => {
  test.each(cases("accept"))("%s", async (_, each) => {
    const attempt = await signInUnder(world, each);
    expect(await expectSignedIn(world, attempt)).toHaveProperty("sub");
    expect(world.provider.complaints).toEqual([]);
  });

  test("has an unnecessary c_hash in the code flow", async () => {
    const name = "PROVIDERS/c_hash-in-code-flow";
    await expectSignedIn(world, await signInUnder(world, { name, responseType: "code" }));
  });
});

describe("accepts or rejects an ID token, and stays intact, if it", () => {
  test.each(cases("either"))("%s", async (_, each) => {
    const attempt = await signInUnder(world, each);
    if (attempt.callback?.answer.status === 400) expectRefused(world, attempt);
    else await expectSignedIn(world, attempt);
  });
});

describe("rejects an ID token unread if it", () => {
  test.each(tooLarge.flatMap((name) => responseTypes.map((type) => [name, type] as const)))(
    "is as large as %s, with response type %s (RFC 8725, 3.10) [STD-085, STD-089]",
    async (name, responseType) => {
      const attempt = await signInUnder(world, { name, responseType });
      if (responseType === "code") {
        const status = name === "STD-085/megabyte" ? 500 : 400;
        expectRefused(world, attempt, { status });
      } else {
        // The form is not read to its end, so its sign-in is unknown.
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

test("requests an ID token with its own nonce for each sign-in, in every flow [CERT-004]", async () => {
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
