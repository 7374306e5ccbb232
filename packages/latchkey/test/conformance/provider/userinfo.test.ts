import type { BehaviorName, Expectation } from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import { signIn } from "../world/attempt.ts";
import { type ResponseType, signInUnder, titledCases } from "../world/behavior-cases.ts";
import { subjects } from "../world/behavior-subjects.ts";
import { startHostileWorld } from "../world/hostile-world.ts";
import {
  expectQuietAnswer,
  expectRefused,
  expectRefusedOrSignedIn,
  expectSignedIn,
  profileOf,
} from "../world/oracles.ts";
import { logsStayQuiet } from "../world/quiet-logs.ts";

const world = await startHostileWorld();

const withToken: readonly ResponseType[] = ["code", "code id_token"];

const [userinfo] = subjects["provider/userinfo.test.ts"];
const cases = (expectation: Expectation, types = withToken) =>
  titledCases(userinfo, types)(expectation);

describe("the app rejects a sign-in when", () => {
  test.each(cases("userinfo-discarded"))("%s", async (_, each) => {
    expectRefused(world, await signInUnder(world, each), { noCallTo: [] });
    expect(world.provider.stranger.requests).toEqual([]);
  });
});

describe("the app uses the claims of userinfo for a sign-in when", () => {
  test.each(cases("accept"))("%s", async (_, each) => {
    world.provider.resetLog();
    const profile = await expectSignedIn(world, await signInUnder(world, each));
    expect(profile["email"]).toBe("hedwig@example.com");
    expect(world.provider.requestsTo("userinfo")).toHaveLength(1);
    expect(world.provider.stranger.requests).toEqual([]);
    expect(world.provider.complaints).toEqual([]);
  });
});

describe("the app uses or discards the response of userinfo, whatever its type says, when", () => {
  test.each(cases("either"))("%s", async (_, each) => {
    await expectRefusedOrSignedIn(world, await signInUnder(world, each), { noCallTo: [] });
  });
});

/** The provider rejects the token: the grant of the user has ended, which is no fault. */
const rejectedToken: BehaviorName = "PROVIDERS/userinfo-401";

async function requestProfile(name: BehaviorName) {
  world.setUp({
    options: { refetchUserinfo: true },
    page: async (request, auth) => Response.json(auth.of(request).session?.user),
  });
  const { browser } = await signIn(world);
  const before = await profileOf(browser);
  world.provider.behave(name);
  const me = await browser.request("/api/auth/me", { headers: { accept: "application/json" } });
  const after = JSON.parse((await browser.request("/private")).text);
  return { me, before, after };
}

describe("the app fails a request for the profile, and leaves the session unchanged, when", () => {
  const failing = cases("userinfo-discarded", ["code"]).filter(
    ([, { name }]) => name !== rejectedToken,
  );
  test.each(failing)("%s", async (_, { name }) => {
    const { me, before, after } = await requestProfile(name);
    expect(me.status).toBeGreaterThanOrEqual(400);
    expect(JSON.parse(me.text)).toMatchObject({ error: "ERR_PROFILE_HANDLER_FAILURE" });
    expectQuietAnswer(world, me);
    expect(after).toEqual(before);
  });
});

test("the app sends the known profile if userinfo rejects the access token", async () => {
  const { me, before, after } = await requestProfile(rejectedToken);
  expect([me.status, JSON.parse(me.text), after]).toEqual([200, before, before]);
});

test("the app never replaces a claim of the ID token, in particular its subject, by userinfo (OpenID Connect Core 5.3.2) [STD-049, STD-020]", async () => {
  world.setUp({
    conduct: {
      userinfo: (own) => ({ ...own, email: "other@example.com", iss: "https://x.example" }),
    },
  });
  const profile = await expectSignedIn(world, await signIn(world));
  expect(profile).toMatchObject({ sub: world.provider.person["sub"], email: "hedwig@example.com" });
  expect(profile).not.toHaveProperty("iss");
});

logsStayQuiet(world);
