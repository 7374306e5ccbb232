import { describe, expect, test } from "vitest";

import type { Browser } from "../../../test/browser.ts";
import { changedToken, withHMAC } from "../../../test/signed-by-secret.ts";
import { startWorld, type World, type WorldSettings } from "../../../test/world.ts";
import { AccessTokenError } from "../../errors/access-token-error.ts";
import type { Session } from "../../session/session.ts";

interface Shown {
  readonly accessToken?: string;
  readonly error?: string;
  readonly session: Session | null;
}

/** An app whose pages ask for an access token, at a provider whose tokens are always about to expire. */
function inWorld({ provider, ...others }: WorldSettings = {}): Promise<World> {
  const short = { lifetimes: { accessToken: 30 }, ...provider };
  return startWorld({ app: showToken, ...others, provider: short });
}

async function showToken(request: Request, its: World["auth"]): Promise<Response> {
  const refresh = new URL(request.url).searchParams.has("refresh");
  const here = its.of(request);
  const shown = await here.accessToken({ refresh }).then(
    (accessToken) => ({ accessToken }),
    (error: unknown) => ({ error: error instanceof AccessTokenError ? error.code : "?" }),
  );
  return Response.json({ ...shown, session: here.session });
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

const outcomes = (world: World) =>
  world.events.flatMap((event) => (event.event === "refresh" ? [event.outcome] : []));

type TokenResponse = Record<string, unknown>;

/** Changes what the provider's token endpoint responds to a refresh. */
function answering(change: (body: TokenResponse) => TokenResponse | Promise<TokenResponse>) {
  return {
    async fetch(input: string, init: RequestInit) {
      const answer = await fetch(input, init);
      if (!input.endsWith("/token")) return answer;
      const body = (await answer.json()) as Record<string, unknown>;
      const isRefresh =
        init.body instanceof URLSearchParams && init.body.get("grant_type") === "refresh_token";
      return Response.json(isRefresh ? await change(body) : body, { status: answer.status });
    },
  };
}

describe("a refresh", () => {
  test("it is done when less than a minute is left, and the session keeps what is new and its age", async () => {
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
    expect(outcomes(world)).toEqual(["renewed", "renewed"]);
  });

  test("it is not done before that, unless it is asked for", async () => {
    const world = await inWorld({ provider: { lifetimes: { accessToken: 3600 } } });
    const browser = await signedIn(world);
    const before = await show(browser);
    expect(tokenCalls(world)).toBe(0);
    const after = await show(browser, {}, "/token?refresh");
    expect(tokenCalls(world)).toBe(1);
    expect(after.accessToken).not.toBe(before.accessToken);
  });

  test("its result serves a late request with the cookie from before, with the true expiry", async () => {
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

  test("the session keeps refresh token, scope and ID token where the response leaves them out [STD-025]", async () => {
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

  test("the hook afterRefresh may change what is new before it is kept", async () => {
    const world = await inWorld({
      options: { hooks: { afterRefresh: (session) => ({ ...session, refreshed: true }) } },
    });
    const browser = await signedIn(world);
    expect((await show(browser)).session).toHaveProperty("refreshed", true);
  });

  test("it is not tried for a session that has ended [ATK-025]", async () => {
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
  test("it is forgotten, and the user stays signed in without it [ASVS 7.6.1]", async () => {
    const world = await inWorld({ options: { backchannelLogout: false } });
    const browser = await signedIn(world);
    await world.provider.endSessions("person-ada");
    const failed = await show(browser);
    expect(failed.error).toBe("ERR_FAILED_REFRESH_GRANT");
    expect(failed.session?.user.sub).toBe("person-ada");
    world.advance(11);
    const later = await show(browser);
    expect(later.error).toBe("ERR_FAILED_REFRESH_GRANT");
    expect(later.session).not.toHaveProperty("refreshToken");
    const again = await show(browser);
    expect(again.error).toBe("ERR_EXPIRED_ACCESS_TOKEN");
    expect(again.session?.user.sub).toBe("person-ada");
    expect(tokenCalls(world)).toBe(1);
    expect(outcomes(world)).toEqual(["refused", "refused"]);
  });

  test("it is told in the message with the provider's reason, and without the token", async () => {
    let thrown: unknown;
    let refreshToken: string | undefined;
    const world = await inWorld({
      options: { backchannelLogout: false },
      async app(request, its) {
        refreshToken = its.of(request).session?.refreshToken;
        thrown = await its
          .of(request)
          .accessToken()
          .catch((error: unknown) => error);
        return new Response("page");
      },
    });
    const browser = await signedIn(world);
    await world.provider.endSessions("person-ada");
    await browser.request("/token");
    expect(thrown).toMatchObject({
      message: expect.stringMatching(
        /^The request to refresh the access token failed\. CAUSE: .*invalid_grant/,
      ) as string,
    });
    expect(refreshToken).toMatch(/./);
    expect(String(thrown) + JSON.stringify(world.events)).not.toContain(refreshToken);
  });
});

describe("a provider that fails", () => {
  test("it leaves the token at hand in use while that is good, and the refresh token for later [OP-007]", async () => {
    let isDown = false;
    const world = await inWorld({
      options: {
        fetch: (input, init) =>
          isDown ? Promise.reject(new TypeError("connection refused")) : fetch(input, init),
      },
    });
    const browser = await signedIn(world);
    isDown = true;
    const inHand = await show(browser);
    expect(inHand.accessToken).toBe(inHand.session?.accessToken);
    world.advance(31);
    const failed = await show(browser);
    expect(failed.error).toBe("ERR_FAILED_REFRESH_GRANT");
    expect(failed.session?.refreshToken).toEqual(expect.any(String));
    expect(outcomes(world)).toEqual(["transient", "transient"]);
    isDown = false;
    expect((await show(browser)).accessToken).toEqual(expect.any(String));
  });
});

describe("a plain read that began before a refresh and ends after it", () => {
  test.each([false, true])(
    "it writes no old tokens back, whether the session is kept in the store or not: %s [RFC 9700, section 4.14.2]",
    async (isStateful) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      let waiting = 0;
      const world = await inWorld({
        options: { session: { stateful: isStateful } },
        async app(request, its) {
          if (!request.url.endsWith("/slow")) return showToken(request, its);
          const { session } = its.of(request);
          waiting += 1;
          await held;
          return Response.json({ session });
        },
      });
      const browser = await signedIn(world);
      const before = (await browser.cookies()) || "none";
      const slow = browser.request("/slow", { headers: { cookie: before } });
      await expect.poll(() => waiting).toBe(1);
      const refreshed = await show(browser);
      release();
      await slow;
      const after = await show(browser);
      expect(refreshed.session?.refreshToken).toMatch(/./);
      expect(JSON.parse((await slow).text)).not.toMatchObject({
        session: { refreshToken: refreshed.session?.refreshToken },
      });
      expect(after.error).toBeUndefined();
      expect(tokenCalls(world)).toBe(2);
      expect(world.provider.requests.filter(({ status }) => status >= 400)).toEqual([]);
    },
  );
});

describe("a refresh that shows another user", () => {
  test("it is refused, and the session stays as it was [OpenID Connect Core, section 12.2]", async () => {
    const world = await inWorld({
      provider: withHMAC.provider,
      options: {
        ...answering(async (body) => ({
          ...body,
          id_token: await changedToken(body["id_token"], { sub: "person-ben" }),
        })),
        idTokenSigningAlg: "HS256",
      },
    });
    const failed = await show(await signedIn(world));
    expect(failed.error).toBe("ERR_FAILED_REFRESH_GRANT");
    expect(failed.session?.user.sub).toBe("person-ada");
  });
});

describe("a refresh that shows another organization", () => {
  test.each([false, true])(
    "it ends the session, whether it is kept in the store or not: %s",
    async (isStateful) => {
      let isMoved = false;
      const world = await inWorld({
        provider: withHMAC.provider,
        options: {
          ...answering(async (body) =>
            isMoved
              ? {
                  ...body,
                  id_token: await changedToken(body["id_token"], { org_id: "org_orchard" }),
                }
              : body,
          ),
          idTokenSigningAlg: "HS256",
          organization: "org_harbour",
          session: { stateful: isStateful },
        },
      });
      const browser = await signedIn(world);
      const copy = await browser.cookies();
      expect((await show(browser)).error).toBeUndefined();
      isMoved = true;
      world.advance(5);
      const failed = await show(browser);
      expect(failed).toEqual({ error: "ERR_FAILED_REFRESH_GRANT", session: null });
      expect(await browser.cookies()).not.toContain("appSession");
      const again = await world.browser().request("/api/auth/me", { headers: { cookie: copy } });
      expect(again.status).toBe(204);
      expect(world.events).toContainEqual({
        event: "sign-out",
        reason: "ended",
        sub: "person-ada",
        session: expect.any(String),
      });
    },
  );
});

describe("a session that ends while its token is refreshed", () => {
  test.each([true, false])(
    "it does not come back, whether it is kept in the store or not: %s [REL-C04]",
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
      await expect.poll(() => tokenCalls(world)).toBe(1);
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
