import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";

import type { Browser } from "../../test/browser/browser.ts";
import type { Members } from "../../test/worlds/quick-provider.ts";
import { type QuickWorld, quickWorld } from "../../test/worlds/quick-world.ts";
import type { WorldSettings } from "../../test/worlds/world.ts";
import { AccessTokenError } from "../errors/access-token-error.ts";
import type { Session, SessionData } from "../session/session.ts";

interface Shown {
  readonly accessToken?: string;
  readonly error?: string;
  readonly session: Session | null;
}

/** How often a refresh token was sent. */
let tokenCalls = 0;

/**
 * An app whose pages use an access token, at a provider whose tokens are about to expire.
 *
 * @param respond changes what the token endpoint responds to a refresh
 */
function inWorld(
  { lasts = 30, ...settings }: Partial<WorldSettings> & { readonly lasts?: number } = {},
  respond: (good: Members) => Members | Promise<Members> = (good) => good,
): QuickWorld {
  const world = quickWorld({ app: showToken, ...settings });
  tokenCalls = -1;
  world.provider.answers.token = async (good) => {
    tokenCalls += 1;
    const its = { ...good, expires_in: lasts };
    return Response.json(tokenCalls === 0 ? its : await respond(its));
  };
  return world;
}

async function showToken(request: Request, its: QuickWorld["auth"]): Promise<Response> {
  if (request.url.endsWith("/page")) return Response.json({ session: its.of(request).session });
  const refresh = new URL(request.url).searchParams.has("refresh");
  const here = its.of(request);
  const shown = await here.accessToken({ refresh }).then(
    (accessToken) => ({ accessToken }),
    (error: unknown) => ({ error: error instanceof AccessTokenError ? error.code : "?" }),
  );
  return Response.json({ ...shown, session: here.session });
}

async function signedIn(world: QuickWorld): Promise<Browser> {
  const browser = world.browser();
  await browser.callback();
  return browser;
}

async function show(browser: Browser, init?: RequestInit, path = "/token"): Promise<Shown> {
  return JSON.parse((await browser.request(path, init)).text) as Shown;
}

const outcomes = (world: QuickWorld) =>
  world.events.flatMap((event) => (event.event === "refresh" ? [event.outcome] : []));

/** The tokens with other claims in the ID token. */
function withClaims({ provider }: QuickWorld, good: Members, changes: Members): Members {
  return {
    ...good,
    id_token: provider.sign({ ...decodeJwt(String(good["id_token"])), ...changes }),
  };
}

async function pause<T>(ms: number, value: T): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return value;
}

describe("a refresh", () => {
  test("it is done when less than a minute is left, and the session keeps what is new and its age", async () => {
    const world = inWorld();
    const browser = await signedIn(world);
    const first = await show(browser);
    expect(tokenCalls).toBe(1);
    expect(first.accessToken).toBe(first.session?.accessToken);
    world.advance(5);
    const second = await show(browser);
    expect(tokenCalls).toBe(2);
    expect(second.accessToken).not.toBe(first.accessToken);
    expect(second.session?.refreshToken).not.toBe(first.session?.refreshToken);
    expect(second.session?.times.createdAt).toBe(first.session?.times.createdAt);
    expect(second.session?.times.startedAt).toBe(first.session?.times.startedAt);
    expect(second.session?.idToken).not.toBe(first.session?.idToken);
    expect(second.session?.user).toEqual(first.session?.user);
    expect(outcomes(world)).toEqual(["renewed", "renewed"]);
  });

  test("it is kept beside an update the same handler makes meanwhile, whichever ends first", async () => {
    const pauses = { refresh: 0, update: 0 };
    const world = inWorld({
      options: {
        hooks: {
          afterRefresh: (session) => pause(pauses.refresh, session),
          beforeSave: (session) => pause(pauses.update, session),
        },
      },
      async app(request, its) {
        const here = its.of(request);
        const name = new URL(request.url).searchParams.get("update");
        if (name !== null) {
          const change = (data: SessionData) => ({ ...data, [name]: true });
          await Promise.all([here.accessToken({ refresh: true }), here.update(change)]);
        }
        return Response.json({ session: here.session });
      },
    });
    const browser = await signedIn(world);
    const before = (await show(browser)).session?.refreshToken;
    pauses.refresh = 60;
    await show(browser, {}, "/token?update=first");
    pauses.update = 200;
    await show(browser, {}, "/token?update=last");
    expect(tokenCalls).toBe(2);
    const { session } = await show(browser);
    expect(session).toMatchObject({ first: true, last: true });
    expect(session?.refreshToken).not.toBe(before);
  });

  test("it is not done earlier, unless it is forced", async () => {
    const world = inWorld({ lasts: 3600 });
    const browser = await signedIn(world);
    const before = await show(browser);
    expect(tokenCalls).toBe(0);
    const after = await show(browser, {}, "/token?refresh");
    expect(tokenCalls).toBe(1);
    expect(after.accessToken).not.toBe(before.accessToken);
  });

  test("its result serves a late request with the cookie from before, with the true expiry", async () => {
    const world = inWorld({ options: { session: { stateful: false } } });
    const browser = await signedIn(world);
    const cookie = await browser.cookies();
    const first = await show(browser);
    world.advance(10);
    const late = await show(world.browser(), { headers: { cookie } });
    expect(late.accessToken).toBe(first.accessToken);
    expect(tokenCalls).toBe(1);
    expect(late.session?.accessTokenExpiresAt).toBe(first.session?.accessTokenExpiresAt);
  });

  test("the session keeps refresh token, scope and ID token if the response leaves them out [STD-025]", async () => {
    const world = inWorld({}, ({ access_token, token_type, expires_in }) => ({
      access_token,
      token_type,
      expires_in,
    }));
    const browser = await signedIn(world);
    const { session: before } = await show(browser, {}, "/page");
    const { session } = await show(browser, {}, "/token");
    expect(session?.accessToken).not.toBe(before?.accessToken);
    expect(session).toMatchObject({
      user: { sub: "person-ada", name: "Quick Person" },
      accessTokenScope: "openid profile email",
      refreshToken: before?.refreshToken,
      idToken: before?.idToken,
    });
  });

  test("the session shows the person as the new ID token does", async () => {
    const world = inWorld({}, (good) => withClaims(world, good, { name: "Ada the Second" }));
    const { session } = await show(await signedIn(world));
    expect(session?.user.name).toBe("Ada the Second");
  });

  test("the session keeps its own auth_time, which a refresh does not prove again", async () => {
    const world = inWorld({ options: { identityClaimFilter: ["iss"] } }, (good) =>
      withClaims(world, good, { auth_time: 2_000_000_000, name: "Ada the Second" }),
    );
    const browser = await signedIn(world);
    const { session: before } = await show(browser, {}, "/page");
    const { session } = await show(browser);
    expect(session?.user).toMatchObject({ name: "Ada the Second" });
    expect(session?.user["auth_time"]).toBe(before?.user["auth_time"]);
  });

  test("the session holds no ID token of a refresh if the settings say so", async () => {
    const world = inWorld({ options: { session: { storeIDToken: false } } });
    const { session } = await show(await signedIn(world));
    expect([tokenCalls, session?.idToken]).toEqual([1, undefined]);
  });

  test("the hook afterRefresh may change what is new before it is kept", async () => {
    const world = inWorld({
      options: { hooks: { afterRefresh: (session) => ({ ...session, refreshed: true }) } },
    });
    const browser = await signedIn(world);
    expect((await show(browser)).session).toHaveProperty("refreshed", true);
  });

  test("it is not tried for an ended session [ATK-025]", async () => {
    const world = inWorld();
    const browser = await signedIn(world);
    const cookie = await browser.cookies();
    world.advance(86_400);
    const answer = await world.browser().request("/token", { headers: { cookie } });
    expect(answer.status).toBe(302);
    expect(tokenCalls).toBe(0);
  });
});

function refused(): Response {
  tokenCalls += 1;
  return Response.json({ error: "invalid_grant" }, { status: 400 });
}

describe("a refresh token refused by the provider", () => {
  test("it is forgotten, and the user stays signed in without it [ASVS 7.6.1] [STD-098]", async () => {
    const world = inWorld();
    const browser = await signedIn(world);
    world.provider.answers.token = refused;
    const failed = await show(browser);
    expect(failed.error).toBe("ERR_FAILED_REFRESH_GRANT");
    expect(failed.session?.user.sub).toBe("person-ada");
    expect((await show(browser)).accessToken).toBe(failed.session?.accessToken);
    world.advance(60);
    const later = await show(browser);
    expect(later.error).toBe("ERR_EXPIRED_ACCESS_TOKEN");
    expect(later.session).not.toHaveProperty("refreshToken");
    expect(later.session?.user.sub).toBe("person-ada");
    expect(tokenCalls).toBe(1);
    expect(outcomes(world)).toEqual(["refused"]);
  });

  test("the message has the provider's reason, and not the token", async () => {
    let thrown: unknown;
    let refreshToken: string | undefined;
    const world = inWorld({
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
    world.provider.answers.token = refused;
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

describe("a plain read that began before a refresh and ends after it", () => {
  test.each([false, true])(
    "it writes no old tokens back, whether the session is kept in the store or not: %s [RFC 9700, section 4.14.2]",
    async (isStateful) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      let waiting = 0;
      const world = inWorld({
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
      expect(tokenCalls).toBe(2);
    },
  );
});

describe("a refresh with another user", () => {
  test("it is refused, and the session stays as it was [OpenID Connect Core, section 12.2]", async () => {
    const world = inWorld({}, (good) => withClaims(world, good, { sub: "person-ben" }));
    const failed = await show(await signedIn(world));
    expect(failed.error).toBe("ERR_FAILED_REFRESH_GRANT");
    expect(failed.session?.user.sub).toBe("person-ada");
  });
});

describe("a refresh with another organization", () => {
  test.each([false, true])(
    "it ends the session, whether it is kept in the store or not: %s [ATK-046, ATK-028]",
    async (isStateful) => {
      let organization = "org_harbour";
      const world = inWorld({ options: { organization, session: { stateful: isStateful } } });
      world.provider.answers.token = (good) =>
        Response.json({ ...withClaims(world, good, { org_id: organization }), expires_in: 30 });
      const browser = await signedIn(world);
      const copy = await browser.cookies();
      expect((await show(browser)).error).toBeUndefined();
      organization = "org_orchard";
      world.advance(5);
      const failed = await show(browser);
      expect(failed).toEqual({ error: "ERR_FAILED_REFRESH_GRANT", session: null });
      expect(await browser.cookies()).not.toContain("appSession");
      expect(await world.isSignedIn(copy)).toBe(false);
      expect(world.events).toContainEqual({
        event: "sign-out",
        reason: "ended",
        sub: "person-ada",
        session: expect.any(String),
        cause: "organization_mismatch",
      });
    },
  );
});

describe("a session ended while its token is refreshed", () => {
  test.each([true, false])(
    "it does not come back, whether it is kept in the store or not: %s [REL-C04]",
    async (stateful) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      const world = inWorld({ options: { session: { stateful } } }, async (good) => {
        await held;
        return good;
      });
      const browser = await signedIn(world);
      const cookie = await browser.cookies();
      const refreshing = world.browser().request("/token", { headers: { cookie } });
      await expect.poll(() => tokenCalls).toBe(1);
      await browser.request("/api/auth/logout");
      release();
      const answer = await refreshing;
      const late = answer.headers.getSetCookie().map((line) => line.split(";", 1)[0] ?? "");
      for (const each of [cookie, late.join("; ")]) {
        expect(await world.isSignedIn(each)).toBe(false);
      }
    },
  );
});
