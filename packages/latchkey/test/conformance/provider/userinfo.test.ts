import type { Entry } from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import { signIn } from "../world/attempt.ts";
import { type ResponseType, signInUnder, titledCases } from "../world/behaviour-cases.ts";
import { startHostileWorld } from "../world/hostile-world.ts";
import { expectQuietAnswer, expectRefused, expectSignedIn, profileOf } from "../world/oracles.ts";
import { logsStayQuiet } from "../world/quiet-logs.ts";

const world = await startHostileWorld();

const withToken: readonly ResponseType[] = ["code", "code id_token"];

/** Those that only say what good answers look like as well. */
function isAboutUserinfo(name: string, { behaviour }: Entry): boolean {
  const { userinfo, userinfoToken, faults, idToken } = behaviour;
  const concerns = userinfo ?? userinfoToken ?? faults?.userinfo;
  if (name.startsWith("REL-") || name.startsWith("STD-141") || idToken !== undefined) return false;
  return concerns !== undefined || name === "CERT-041";
}

const cases = (expectation: Entry["expect"], types = withToken) =>
  titledCases(isAboutUserinfo, types)(expectation);

describe("sign-in is refused when", () => {
  test.each(cases("userinfo-discarded"))("%s", async (_, each) => {
    expectRefused(world, await signInUnder(world, each), { noCallTo: [] });
    expect(world.provider.stranger.requests).toEqual([]);
  });
});

describe("sign-in takes the claims of userinfo when", () => {
  test.each(cases("accept"))("%s", async (_, each) => {
    world.provider.resetLog();
    const profile = await expectSignedIn(world, await signInUnder(world, each));
    expect(profile["email"]).toBe("hedwig@example.com");
    expect(world.provider.requestsTo("userinfo")).toHaveLength(1);
    expect(world.provider.stranger.requests).toEqual([]);
    expect(world.provider.complaints).toEqual([]);
  });
});

describe("me fails, and the profile stays as it was, when", () => {
  test.each(cases("userinfo-discarded", ["code"]))("%s", async (_, { name }) => {
    world.setUp({
      options: { refetchUserinfo: true },
      page: async (request, auth) => Response.json(auth.of(request).session?.user),
    });
    const { browser } = await signIn(world);
    const before = await profileOf(browser);
    world.provider.behave(name);
    const me = await browser.request("/api/auth/me", { headers: { accept: "application/json" } });
    expect(me.status).toBeGreaterThanOrEqual(400);
    expect(JSON.parse(me.text)).toMatchObject({ error: "ERR_PROFILE_HANDLER_FAILURE" });
    expectQuietAnswer(world, me);
    expect(JSON.parse((await browser.request("/private")).text)).toEqual(before);
  });
});

test("the access token goes to userinfo in the header, never in the address or the body (OpenID Connect Core 5.3.1) [CERT-008, CERT-041]", async () => {
  world.setUp({
    page: async (request, auth) => Response.json(auth.of(request).session?.accessToken),
  });
  world.provider.resetLog();
  const { browser } = await signIn(world);
  const token: unknown = JSON.parse((await browser.request("/private")).text);
  const [request, ...more] = world.provider.requestsTo("userinfo");
  expect(more).toEqual([]);
  expect(request?.headers.authorization).toBe(`Bearer ${String(token)}`);
  expect([request?.query.size, request?.body]).toEqual([0, ""]);
});

test("claims of profile, email, phone and address are in the profile, nulls are not [CERT-043]", async () => {
  const profile = await expectSignedIn(
    world,
    await signInUnder(world, { name: "CERT-043", responseType: "code" }),
  );
  expect(profile).toMatchObject({
    zoneinfo: "Europe/Berlin",
    phone_number: "+49 30 000000",
    address: { country: "DE" },
  });
  const sparse = { name: "PROVIDERS/nulls", responseType: "code" } as const;
  const withNulls = await expectSignedIn(world, await signInUnder(world, sparse));
  expect(Object.values(withNulls)).not.toContain(null);
});

test("with id_token alone the claims come from the ID token, and userinfo is not asked [CERT-043]", async () => {
  world.setUp({ options: { responseType: "id_token" } });
  world.provider.resetLog();
  const profile = await expectSignedIn(world, await signIn(world));
  expect(profile["email"]).toBe("hedwig@example.com");
  expect(world.provider.requestsTo("userinfo")).toEqual([]);
});

test("userinfo never replaces a claim of the ID token, least of all its subject (OpenID Connect Core 5.3.2) [STD-049, STD-020]", async () => {
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
