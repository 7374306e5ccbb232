import { behaviorOf } from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import { type Browser, isSignedIn } from "../../browser/browser.ts";
import { signIn } from "../world/attempt.ts";
import { optionsFor, titledCases } from "../world/behavior-cases.ts";
import { subjects } from "../world/behavior-subjects.ts";
import { type SetUp, startHostileWorld } from "../world/hostile-world.ts";
import {
  deliver,
  expectAnonymous,
  expectLogoutRefused,
  expectLogoutTaken,
  profileOf,
} from "../world/oracles.ts";
import { logsStayQuiet } from "../world/quiet-logs.ts";

const world = await startHostileWorld();

const [logoutTokens] = subjects["tokens/logout-token.test.ts"];
const cases = titledCases(logoutTokens, ["code"]);

async function signedIn(setUp: SetUp = {}): Promise<Browser> {
  world.setUp(setUp);
  const { browser } = await signIn(world);
  await profileOf(browser);
  return browser;
}

describe("the app rejects a logout token, and keeps the session, if it", () => {
  test.each(cases("logout-refused"))("%s", async (_, { name }) => {
    const browser = await signedIn();
    world.provider.behave(name);
    expectLogoutRefused(world, await deliver(world, world.provider.mintLogoutToken()));
    expect(await isSignedIn(browser)).toBe(true);
    expect(world.provider.stranger.requests).toEqual([]);
  });

  test("is a valid ID token (RFC 8725, 3.11) [STD-116, STD-086]", async () => {
    const browser = await signedIn();
    const { nonce: _none, ...request } = { nonce: "n", response_type: "code" };
    for (const token of [world.provider.mintIDToken(), world.provider.mintIDToken(request)]) {
      expectLogoutRefused(world, await deliver(world, token));
    }
    expect(await isSignedIn(browser)).toBe(true);
  });
});

describe("the app accepts a logout token, and ends its session before the next request, if it", () => {
  test.each(cases("logout-accepted"))("%s", async (_, { name }) => {
    const options = optionsFor(world, name);
    const conduct = behaviorOf(name).behavior;
    const browser = await signedIn({ conduct: { ...conduct }, options });
    expectLogoutTaken(await deliver(world, world.provider.mintLogoutToken()));
    await expectAnonymous(world, browser, { clears: true });
  });
});

describe("the app accepts or rejects a logout token, and nothing between, if it", () => {
  test.each(cases("either"))("%s", async (_, { name }) => {
    const browser = await signedIn();
    world.provider.behave(name);
    const answer = await deliver(world, world.provider.mintLogoutToken());
    if (answer.status === 400) expectLogoutRefused(world, answer);
    else expectLogoutTaken(answer);
    expect(await isSignedIn(browser)).toBe(answer.status === 400);
  });
});

logsStayQuiet(world);
