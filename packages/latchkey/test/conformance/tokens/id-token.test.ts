import {
  type BehaviorName,
  behaviorOf,
  type Endpoint,
  type Expectation,
} from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import {
  type Case,
  isBehindOnly,
  responseTypes,
  signInUnder,
  titledCases,
} from "../world/behavior-cases.ts";
import { subjects } from "../world/behavior-subjects.ts";
import { startHostileWorld } from "../world/hostile-world.ts";
import { expectRefused, expectRefusedOrSignedIn, expectSignedIn } from "../world/oracles.ts";
import { logsStayQuiet } from "../world/quiet-logs.ts";

const world = await startHostileWorld();

const tooLarge: readonly BehaviorName[] = ["STD-085/megabyte", "STD-089/large-token"];
const [idTokens] = subjects["tokens/id-token.test.ts"];
const cases = (expectation: Expectation) =>
  titledCases(idTokens)(expectation).filter(([, { name }]) => !tooLarge.includes(name));

/** A bad token in the front channel is refused in the same place, whatever comes beside it. */
const badCases = (expectation: Expectation) =>
  cases(expectation).filter(
    ([, each]) =>
      each.responseType !== "code id_token" ||
      isBehindOnly(each) ||
      behaviorOf(each.name).needs?.responseType !== undefined,
  );

/** A token in the front channel is checked before the rest of the response. */
function forbiddenAfter(each: Case): readonly Endpoint[] {
  const isInFront = each.responseType !== "code" && !isBehindOnly(each);
  return isInFront ? ["token", "userinfo"] : ["userinfo"];
}

/** A key set that cannot be read is a fault of the provider, not of the response. */
const statusOf = ({ name }: Case) => (/large-key-set|many-keys|REL-F10/.test(name) ? 500 : 400);

describe("the app rejects an ID token that", () => {
  test.each(badCases("refuse"))("%s", async (_, each) => {
    const attempt = await signInUnder(world, each);
    expectRefused(world, attempt, { status: statusOf(each), noCallTo: forbiddenAfter(each) });
    expect(world.provider.stranger.requests).toEqual([]);
  });
});

describe("the app accepts an ID token that", () => {
  test.each(cases("accept"))("%s", async (_, each) => {
    const attempt = await signInUnder(world, each);
    expect(await expectSignedIn(world, attempt)).toHaveProperty("sub");
    expect(world.provider.complaints).toEqual([]);
  });
});

describe("the app accepts or rejects an ID token, and stays intact, if it", () => {
  test.each(badCases("either"))("%s", async (_, each) => {
    const status = statusOf(each);
    await expectRefusedOrSignedIn(world, await signInUnder(world, each), { status });
  });
});

describe("the app rejects an ID token unread if it", () => {
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

test("the app requests an ID token with its own nonce for each sign-in, in every flow [CERT-004]", async () => {
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
