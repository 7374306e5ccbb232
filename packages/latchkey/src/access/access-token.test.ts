import { afterEach, describe, expect, test } from "vitest";

import type { Browser } from "../../test/browser.ts";
import { goodSettings } from "../../test/settings.ts";
import { startWorld, type World, type WorldSettings } from "../../test/world.ts";
import { createAuth } from "../auth.ts";
import { AccessTokenError } from "../errors/access-token-error.ts";
import type { Session, SessionData } from "../session/session.ts";
import { signedInCookies } from "../testing/index.ts";
import type { AccessTokenRequest } from "./access-token.ts";

const own = "https://app.example";
const now = 1_800_000_000;
const auth = createAuth({ ...goodSettings, clock: () => now * 1000 });

/** What an app gets that asks with such a session: the token, or code and message of the error. */
async function ask(session: Partial<SessionData>, asked?: AccessTokenRequest): Promise<string> {
  const options = { ...goodSettings, clock: () => now * 1000 };
  const cookie = await signedInCookies({ options, session: { user: { sub: "ada" }, ...session } });
  const request = new Request(own, { headers: { cookie } });
  return auth
    .of(request)
    .accessToken(asked)
    .then(
      ({ accessToken }) => accessToken,
      (error: unknown) =>
        error instanceof AccessTokenError ? `${error.code}: ${error.message}` : "?",
    );
}

const good = {
  accessToken: "at",
  accessTokenExpiresAt: now + 3600,
  accessTokenScope: "openid a b",
};

describe("the errors of the specification, in their order", () => {
  test("no session", async () => {
    await expect(auth.accessToken(new Request(own))).rejects.toMatchObject({
      code: "ERR_MISSING_SESSION",
      message: "The user does not have a valid session.",
      name: "AccessTokenError",
    });
  });

  const insufficient = "An access token with the requested scopes could not be provided.";
  test.each([
    [
      "neither token",
      {},
      {},
      "ERR_MISSING_ACCESS_TOKEN: The user does not have a valid access token.",
    ],
    [
      "no expiry",
      { accessToken: "at" },
      {},
      "ERR_EXPIRED_ACCESS_TOKEN: Expiration information for the access token is not available. The user will need to sign in again.",
    ],
    [
      "scopes asked for, none known",
      { ...good, accessTokenScope: undefined },
      { scopes: ["a"] },
      `ERR_INSUFFICIENT_SCOPE: ${insufficient} The user will need to sign in again.`,
    ],
    [
      "a scope that was not granted",
      good,
      { scopes: ["a", "c"] },
      'ERR_INSUFFICIENT_SCOPE: Could not retrieve an access token with scopes "a c". The user will need to sign in again.',
    ],
    [
      "expired, no refresh token",
      { ...good, accessTokenExpiresAt: now - 1 },
      {},
      "ERR_EXPIRED_ACCESS_TOKEN: The access token expired and a refresh token is not available. The user will need to sign in again.",
    ],
    [
      "a refresh asked for, no refresh token",
      good,
      { refresh: true },
      "ERR_MISSING_REFRESH_TOKEN: A refresh token is required to refresh the access token, but none is present.",
    ],
  ] as [string, Partial<SessionData>, AccessTokenRequest, string][])(
    "%s",
    async (_, session, asked, error) => {
      expect(await ask(session, asked)).toBe(error);
    },
  );

  test("a good token is handed out as it is, with all scopes that it has", async () => {
    expect(await ask(good)).toBe("at");
    expect(await ask(good, { scopes: ["b", "openid"] })).toBe("at");
    expect(await ask(good, { scopes: [] })).toBe("at");
  });

  test.each([
    [61, "at"],
    [60, "at"],
    [59, "ERR_EXPIRED_ACCESS_TOKEN"],
    [0, "ERR_EXPIRED_ACCESS_TOKEN"],
  ])("a token that expires in %i seconds: %s", async (seconds, expected) => {
    expect(await ask({ ...good, accessTokenExpiresAt: now + seconds })).toMatch(
      new RegExp(`^${expected}`),
    );
  });
});

const worlds: World[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

interface Shown {
  readonly accessToken?: string;
  readonly error?: string;
  readonly session: Session | null;
}

/** An app whose pages ask for an access token, at a provider whose tokens are always about to expire. */
async function inWorld({ options, provider }: WorldSettings = {}): Promise<World> {
  const world = await startWorld({
    provider: { lifetimes: { accessToken: 30 }, ...provider },
    ...(options === undefined ? {} : { options }),
    app: async (request, itsAuth) => {
      const refresh = new URL(request.url).searchParams.has("refresh");
      const shown = await itsAuth.accessToken(request, { refresh }).then(
        ({ accessToken }) => ({ accessToken }),
        (error: unknown) => ({ error: error instanceof AccessTokenError ? error.code : "?" }),
      );
      return Response.json({ ...shown, session: (await itsAuth.visit(request)).session });
    },
  });
  worlds.push(world);
  return world;
}

async function signedIn(world: World): Promise<Browser> {
  const browser = world.browser();
  const { address } = await browser.untilCallback();
  await browser.request(address);
  world.provider.clearRequests();
  return browser;
}

async function show(browser: Browser, init?: RequestInit, path = "/token"): Promise<Shown> {
  return JSON.parse((await browser.request(path, init)).text) as Shown;
}

const tokenCalls = (world: World) =>
  world.provider.requests.filter(({ path }) => path === "/token").length;

/** Changes what the provider's token endpoint answers. */
function answering(change: (body: Record<string, unknown>) => Record<string, unknown>) {
  return {
    async fetch(input: string, init: RequestInit) {
      const answer = await fetch(input, init);
      if (!input.endsWith("/token")) return answer;
      const body = (await answer.json()) as Record<string, unknown>;
      const isRefresh =
        init.body instanceof URLSearchParams && init.body.get("grant_type") === "refresh_token";
      return Response.json(isRefresh ? change(body) : body, { status: answer.status });
    },
  };
}

describe("refresh", () => {
  test("is done when less than a minute is left; what is new is kept, the session's age stays", async () => {
    const world = await inWorld();
    const browser = await signedIn(world);
    const first = await show(browser);
    expect(tokenCalls(world)).toBe(1);
    expect(first.accessToken).toBe(first.session?.accessToken);
    world.advance(5);
    const second = await show(browser);
    expect(tokenCalls(world)).toBe(2);
    expect(second.accessToken).not.toBe(first.accessToken);
    expect(second.session?.refreshToken).not.toBe(first.session?.refreshToken);
    expect(second.session?.times.createdAt).toBe(first.session?.times.createdAt);
    expect(second.session?.times.startedAt).toBe(first.session?.times.startedAt);
    expect(second.session?.user).toEqual(first.session?.user);
    expect(world.events).toContainEqual({
      event: "refresh",
      outcome: "renewed",
      sub: "person-ada",
    });
  });

  test("is not done before, unless it is asked for", async () => {
    const world = await inWorld({ provider: { lifetimes: { accessToken: 3600 } } });
    const browser = await signedIn(world);
    const before = await show(browser);
    expect(tokenCalls(world)).toBe(0);
    const after = await show(browser, {}, "/token?refresh");
    expect(tokenCalls(world)).toBe(1);
    expect(after.accessToken).not.toBe(before.accessToken);
  });

  test("is one call for 100 requests at once, all with the same result [REL-C01]", async () => {
    const world = await inWorld();
    const cookie = await (await signedIn(world)).cookies();
    const shown = await Promise.all(
      Array.from({ length: 100 }, () => show(world.browser(), { headers: { cookie } })),
    );
    expect(new Set(shown.map(({ accessToken }) => accessToken)).size).toBe(1);
    expect(new Set(shown.map(({ session }) => session?.refreshToken)).size).toBe(1);
    expect(shown.every(({ error }) => error === undefined)).toBe(true);
    expect(tokenCalls(world)).toBe(1);
  });

  test("serves a late request with the cookie from before, and tells it the true expiry", async () => {
    const world = await inWorld();
    const browser = await signedIn(world);
    const cookie = await browser.cookies();
    const first = await show(browser);
    world.advance(10);
    const late = await show(world.browser(), { headers: { cookie } });
    expect(late.accessToken).toBe(first.accessToken);
    expect(tokenCalls(world)).toBe(1);
    expect(late.session?.accessTokenExpiresAt).toBe(first.session?.accessTokenExpiresAt);
  });

  test("keeps what the answer leaves out: refresh token, scope, ID token [STD-025]", async () => {
    const least = answering(({ access_token, token_type, expires_in }) => ({
      access_token,
      token_type,
      expires_in,
    }));
    const world = await inWorld({ options: least });
    const browser = await signedIn(world);
    const { session } = await show(browser, {}, "/token");
    expect(session).toMatchObject({
      user: { sub: "person-ada", name: "Ada Okafor" },
      accessTokenScope: "openid profile email",
      refreshToken: expect.any(String) as string,
      idToken: expect.any(String) as string,
    });
  });

  test("a hook may look at what is new before it is kept", async () => {
    const world = await inWorld({
      options: { hooks: { afterRefresh: (session) => ({ ...session, refreshed: true }) } },
    });
    const browser = await signedIn(world);
    expect((await show(browser)).session).toHaveProperty("refreshed", true);
  });

  test("is not tried for a session that is over [ATK-025]", async () => {
    const world = await inWorld();
    const browser = await signedIn(world);
    const cookie = await browser.cookies();
    world.advance(86_400);
    const answer = await world.browser().request("/token", { headers: { cookie } });
    expect(answer.status).toBe(302);
    expect(tokenCalls(world)).toBe(0);
  });
});

describe("a refresh token that the provider refuses", () => {
  test("is dropped; the person stays signed in, in a clear state [ASVS 7.6.1]", async () => {
    const world = await inWorld({ options: { backchannelLogout: false } });
    const browser = await signedIn(world);
    await world.provider.endSessions("person-ada");
    const failed = await show(browser);
    expect(failed.error).toBe("ERR_FAILED_REFRESH_GRANT");
    expect(failed.session).not.toHaveProperty("refreshToken");
    expect(failed.session?.user.sub).toBe("person-ada");
    const again = await show(browser);
    expect(again.error).toBe("ERR_EXPIRED_ACCESS_TOKEN");
    expect(again.session?.user.sub).toBe("person-ada");
    expect(tokenCalls(world)).toBe(1);
    expect(world.events).toContainEqual({
      event: "refresh",
      outcome: "refused",
      sub: "person-ada",
    });
  });

  test("tells why in the message, and no token in it", async () => {
    const world = await inWorld({ options: { backchannelLogout: false } });
    const browser = await signedIn(world);
    const cookie = await browser.cookies();
    const { session } = await world.auth.visit(new Request(world.baseURL, { headers: { cookie } }));
    await world.provider.endSessions("person-ada");
    const request = new Request(world.baseURL, { headers: { cookie } });
    const error: unknown = await world.auth
      .of(request)
      .accessToken()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^The request to refresh the access token failed\. CAUSE: .*invalid_grant/,
      ) as string,
    });
    expect(String(error) + JSON.stringify(world.events)).not.toContain(session?.refreshToken);
  });
});

describe("a provider that fails", () => {
  test("costs nothing: the refresh token is kept, and works when the provider does", async () => {
    let isDown = false;
    const world = await inWorld({
      options: {
        fetch: (input, init) =>
          isDown ? Promise.reject(new TypeError("connection refused")) : fetch(input, init),
      },
    });
    const browser = await signedIn(world);
    isDown = true;
    const failed = await show(browser);
    expect(failed.error).toBe("ERR_FAILED_REFRESH_GRANT");
    expect(failed.session?.refreshToken).toEqual(expect.any(String));
    isDown = false;
    expect((await show(browser)).accessToken).toEqual(expect.any(String));
  });
});

describe("a session that ends while its token is refreshed", () => {
  test.each([true, false])(
    "does not come back, kept in the store: %s [REL-C04]",
    async (stateful) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      let isHeld = false;
      const world = await inWorld({
        options: {
          session: { stateful },
          async fetch(input, init) {
            const answer = await fetch(input, init);
            if (isHeld && input.endsWith("/token")) await held;
            return answer;
          },
        },
      });
      const browser = await signedIn(world);
      const cookie = await browser.cookies();
      isHeld = true;
      const refreshing = world.browser().request("/token", { headers: { cookie } });
      await expect.poll(() => tokenCalls(world), { timeout: 8000 }).toBe(1);
      await browser.request("/api/auth/logout");
      release();
      const answer = await refreshing;
      const late = answer.headers.getSetCookie().map((line) => line.split(";", 1)[0] ?? "");
      for (const each of [cookie, late.join("; ")]) {
        const me = await world.browser().request("/api/auth/me", { headers: { cookie: each } });
        expect(me.status).toBe(204);
      }
    },
  );
});
