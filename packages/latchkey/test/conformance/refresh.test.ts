import type { Entry } from "@latchkey/provider/hostile";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { AccessTokenError, type Options } from "../../src/index.ts";
import type { Browser } from "../browser.ts";
import { signIn } from "./attempt.ts";
import { casesOf, isExpected, titled } from "./behaviour-cases.ts";
import { type HostileWorld, type SetUp, startHostileWorld } from "./hostile-world.ts";
import { profileOf } from "./oracles.ts";
import { logsStayQuiet } from "./quiet-logs.ts";

let world: HostileWorld;
beforeAll(async () => {
  world = await startHostileWorld();
});
afterAll(() => world.close());

/** A page that needs an access token, and shows what it got and what is kept. */
const page: NonNullable<SetUp["page"]> = async (request, auth) => {
  const isForced = new URL(request.url).searchParams.has("refresh");
  try {
    const { accessToken } = await auth.of(request).accessToken({ refresh: isForced });
    const { session } = auth.of(request);
    return Response.json({ accessToken, session });
  } catch (error) {
    if (!(error instanceof AccessTokenError)) throw error;
    const { session } = auth.of(request);
    return Response.json({ error: error.code, message: error.message, session }, { status: 500 });
  }
};

interface Shown {
  readonly accessToken?: string;
  readonly error?: string;
  readonly session: {
    readonly user: { readonly sub: string };
    readonly accessToken?: string;
    readonly refreshToken?: string;
    readonly idToken?: string;
  } | null;
}

async function show(browser: Browser, path = "/private"): Promise<Shown> {
  return JSON.parse((await browser.request(path)).text) as Shown;
}

async function signedIn(options: Partial<Options> = {}, setUp: SetUp = {}): Promise<Browser> {
  world.setUp({ page, options, ...setUp });
  world.provider.resetLog();
  const { browser, callback } = await signIn(world);
  expect(callback?.answer.status).toBe(302);
  return browser;
}

const cases = (expectation: Entry["expect"]) =>
  titled(
    casesOf((name, entry) => !name.startsWith("REL-") && isExpected(entry, expectation), ["code"]),
  );

describe("a refresh fails, nothing of it is kept, and userinfo is not asked with it, when the provider", () => {
  test.each(cases("refresh-fails"))("%s", async (_, { name }) => {
    const browser = await signedIn();
    const before = await show(browser);
    world.provider.behave(name);
    world.provider.resetLog();
    const answer = await show(browser, "/private?refresh");
    expect(answer.error).toBe("ERR_FAILED_REFRESH_GRANT");
    expect(answer.session?.user).toEqual(before.session?.user);
    expect(answer.session?.accessToken).toBe(before.session?.accessToken);
    expect(answer.session?.idToken).toBe(before.session?.idToken);
    expect(world.provider.requestsTo("userinfo")).toEqual([]);
    expect(world.events.at(-1)).toMatchObject({ event: "refresh", outcome: "refused" });
    await profileOf(browser);
  });
});

describe("a refresh succeeds when the provider", () => {
  test.each(cases("refresh-succeeds"))("%s", async (_, { name }) => {
    const browser = await signedIn();
    const before = await show(browser);
    world.provider.behave(name);
    const first = await show(browser, "/private?refresh");
    const second = await show(browser, "/private?refresh");
    const tokens = [before, first, second].map(({ accessToken }) => accessToken);
    expect(new Set(tokens).size).toBe(3);
    expect(tokens).not.toContain(undefined);
    const keeps = name === "STD-025/no-new-token";
    expect(second.session?.refreshToken === before.session?.refreshToken).toBe(keeps);
    expect(await profileOf(browser)).toEqual(before.session?.user);
  });
});

test("userinfo is asked with the new access token after a refresh [CERT-049]", async () => {
  const browser = await signedIn({ refetchUserinfo: true });
  const { accessToken } = await show(browser, "/private?refresh");
  world.provider.resetLog();
  await profileOf(browser);
  const [request] = world.provider.requestsTo("userinfo");
  expect(request?.headers.authorization).toBe(`Bearer ${accessToken ?? ""}`);
});

test("a refreshed ID token is compared with the one before also after several refreshes [STD-024]", async () => {
  const browser = await signedIn();
  await show(browser, "/private?refresh");
  for (const name of ["STD-024/auth_time", "STD-024/nonce", "CERT-051"] as const) {
    world.provider.behave(name);
    const { error } = await show(browser, "/private?refresh");
    expect([name, error]).toEqual([name, "ERR_FAILED_REFRESH_GRANT"]);
  }
});

test("a token without known life is not refreshed over and over: the app is told that it has expired [FAPI-015]", async () => {
  const browser = await signedIn({}, { conduct: "FAPI-015" });
  const answer = await show(browser);
  expect(answer.error).toBe("ERR_EXPIRED_ACCESS_TOKEN");
  expect(world.provider.requestsTo("refresh")).toEqual([]);
});

test("a refresh token that the provider refuses is forgotten, which the app can tell [STD-098]", async () => {
  const browser = await signedIn();
  world.provider.behave("STD-053/invalid_grant");
  expect((await show(browser, "/private?refresh")).error).toBe("ERR_FAILED_REFRESH_GRANT");
  const next = await show(browser, "/private?refresh");
  expect([next.error, next.session?.refreshToken]).toEqual([
    "ERR_MISSING_REFRESH_TOKEN",
    undefined,
  ]);
  await profileOf(browser);
});

test("a session beyond its absolute end is not revived by its refresh token: the provider is not even asked [ATK-025]", async () => {
  const browser = await signedIn({ session: { rolling: false, absoluteDuration: 600 } });
  world.advance(601);
  const answer = await browser.request("/private?refresh");
  expect([answer.status, answer.location]).toEqual([
    302,
    `${world.baseURL}/api/auth/login?returnTo=${encodeURIComponent("/private?refresh")}`,
  ]);
  expect(world.provider.requestsTo("refresh")).toEqual([]);
});

test("the organization is checked on every way that brings claims: callback, refresh, userinfo [ATK-046, ATK-028]", async () => {
  const member = { userinfo: asMember, idToken: { claims: asMember } };
  const browser = await signedIn({ organization: "org_good" }, { conduct: member });
  world.provider.behave({ ...member, idToken: { claims: asStranger } });
  expect((await show(browser, "/private?refresh")).error).toBe("ERR_FAILED_REFRESH_GRANT");
  const refused = await signIn(world);
  expect(refused.callback?.answer.status).toBe(400);
  expect(Object.keys(refused.callback?.after ?? {})).not.toContain("appSession");
  expect((await refused.browser.request("/api/auth/me")).status).toBe(204);

  const options = { organization: "org_good", refetchUserinfo: true };
  const other = await signedIn(options, { conduct: member });
  world.provider.behave({ ...member, userinfo: asStranger });
  expect((await other.request("/api/auth/me")).status).toBe(400);
});

function asMember(own: Readonly<Record<string, unknown>>) {
  return { ...own, org_id: "org_good" };
}

function asStranger(own: Readonly<Record<string, unknown>>) {
  return { ...own, org_id: "org_evil" };
}

test.each(["", undefined, "openid profile email admin"])(
  "a scope of %j in the token response widens nothing that was not granted [ATK-060]",
  async (scope) => {
    const conduct = {
      tokenResponse: ({ scope: _own, ...rest }: object & { scope?: unknown }) => ({
        ...rest,
        scope,
      }),
    };
    let failure: unknown;
    const browser = await signedIn(
      {},
      {
        conduct,
        page: async (request, auth) => {
          failure = await auth
            .accessToken(request, { scopes: ["payments"] })
            .catch((error: unknown) => error);
          return new Response("ok");
        },
      },
    );
    await browser.request("/private");
    expect(failure).toMatchObject({ code: "ERR_INSUFFICIENT_SCOPE" });
  },
);

logsStayQuiet(() => world);
