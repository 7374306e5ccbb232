import { describe, expect, test } from "vitest";

import type { Browser } from "../../test/browser/browser.ts";
import { changedFetch } from "../../test/worlds/changed-fetch.ts";
import { namesIn } from "../../test/browser/cookie-jar.ts";
import { problemIn, startWorld } from "../../test/worlds/world.ts";
import { words } from "../../test/words.ts";
import type { PeekResult } from "./session-json.ts";

const world = await startWorld({ options: { session: { stateful: false } } });

describe("the signed-in user", () => {
  test("is returned as JSON, with the profile alone and neither tokens nor times", async () => {
    const browser = await world.signedIn();
    const answer = await browser.request("/api/auth/me");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(Object.keys(JSON.parse(answer.text) as object).toSorted()).toEqual(words`
      email email_verified family_name given_name locale name nickname org_id org_name picture sid
      sub updated_at
    `);
  });

  test("is an empty 204 without a session, with no caching", async () => {
    const answer = await world.browser().request("/api/auth/me");
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(answer.headers.get("vary")).toBe("Cookie");
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test("is read by HEAD without an effect", async () => {
    const browser = await world.signedIn();
    const answer = await browser.request("/api/auth/me", { method: "HEAD" });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
    const nobody = await world.browser().request("/api/auth/me", { method: "HEAD" });
    expect(nobody.status).toBe(204);
  });
});

describe("the profile route", () => {
  test("accepts a slash at the end, since some hosts add one [AD-008]", async () => {
    const answer = await (await world.signedIn()).request("/api/auth/me/");
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      200,
      { sub: expect.any(String) as string },
    ]);
  });

  test.each(words`
    /api/auth/me/foo.css /api/auth/me.css /api/auth/me;foo.css /api/auth/me%2ffoo.css
    /api/auth/me%00.css /api/auth/me// /api/auth/login/x /api/auth/unknown /api/auth/__proto__
    /api/auth/constructor /api/auth/ /api/auth /api/auth/ME
  `)(
    "responds to %s with 404 and no user data, even for a signed-in user [ATK-111]",
    async (path) => {
      const answer = await (await world.signedIn()).request(path);
      expect(answer.status).toBe(404);
      expect(answer.text).not.toContain("ada@example.com");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.getSetCookie()).toEqual([]);
    },
  );
});

describe("renewal", () => {
  test("sends a new cookie with a later end after each read", async () => {
    const browser = await world.signedIn();
    const before = await browser.cookies();
    world.advance(100);
    const answer = await browser.request("/api/auth/me");
    expect(namesIn(answer.headers.getSetCookie()).set).toEqual(["appSession.t"]);
    expect(await browser.cookies()).not.toBe(before);
    const expires = Date.parse(
      /Expires=([^;]+)/.exec(answer.headers.getSetCookie()[0] ?? "")?.[1] ?? "",
    );
    world.advance(-100);
    expect(Math.abs(expires - Date.now() - 86_500_000)).toBeLessThan(60_000);
  });
});

describe("session.json", () => {
  const peek = async (browser: Browser, cookie?: string) => {
    const headers = cookie === undefined ? {} : { cookie };
    const answer = await browser.request("/_auth/session.json", { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(answer.headers.getSetCookie()).toEqual([]);
    const look = JSON.parse(answer.text) as PeekResult;
    expect(look.now).toEqual(expect.any(Number));
    return look;
  };

  test("contains the user, the server's time and both ends, in seconds", async () => {
    const look = await peek(await world.signedIn());
    expect(look).toMatchObject({ state: "signed-in", sub: "person-ada" });
    if (look.state !== "signed-in") return;
    expect(Math.abs(look.now - Date.now() / 1000)).toBeLessThan(60);
    expect(Math.abs((look.rollingEndsAt ?? 0) - look.now - 86_400)).toBeLessThan(60);
    expect(Math.abs((look.absoluteEndsAt ?? 0) - look.now - 604_800)).toBeLessThan(60);
    expect(look.endsAt).toBe(look.rollingEndsAt);
    expect(JSON.stringify(look)).not.toContain("ada@example.com");
  });

  test("renews nothing, so the end approaches despite frequent reads", async () => {
    const other = await startWorld();
    const browser = await other.signedIn();
    for (let count = 0; count < 5; count += 1) {
      other.advance(17_200);
      expect((await peek(browser)).state).toBe("signed-in");
    }
    other.advance(1000);
    const cookie = (await browser.cookies()) || "gone";
    expect(cookie).toContain("appSession");
    expect(await peek(browser, cookie)).toMatchObject({ state: "ended", reason: "idle" });
  });

  test("reports a missing or an unreadable session", async () => {
    expect(await peek(world.browser())).toMatchObject({ state: "signed-out" });
    expect(await peek(world.browser(), "appSession=x")).toMatchObject({
      state: "ended",
      reason: "unreadable",
    });
  });
});

const isRefresh = (init?: RequestInit) =>
  init?.body instanceof URLSearchParams && init.body.get("grant_type") === "refresh_token";

describe("me with a profile fetched anew", () => {
  test("returns and stores the provider's newest profile", async () => {
    const other = await startWorld({
      provider: { claimsIn: "userinfo" },
      options: { refetchUserinfo: true, userinfo: "never" },
    });
    const browser = other.browser();
    await browser.signIn();
    const answer = await browser.request("/api/auth/me");
    expect(JSON.parse(answer.text)).toMatchObject({ sub: "person-ada", name: "Ada Okafor" });
    expect(other.provider.requests.filter(({ path }) => path === "/me")).toHaveLength(1);
  });

  test.each([false, true])(
    "ends the session if userinfo shows another organization, in the store or not: %s [ATK-046, ATK-028]",
    async (isStateful) => {
      let organization = "org_harbour";
      const other = await startWorld({
        options: {
          refetchUserinfo: true,
          organization,
          session: { stateful: isStateful },
          fetch: changedFetch("/me", (claims) => ({ ...claims, org_id: organization })),
        },
      });
      const browser = other.browser();
      await browser.signIn();
      expect((await browser.request("/api/auth/me")).status).toBe(200);
      const copy = await browser.cookies();
      organization = "org_orchard";
      const answer = await browser.request("/api/auth/me");
      expect(answer.status).toBe(400);
      expect(problemIn(answer).reason).toBe("organization_mismatch");
      expect(namesIn(answer.headers.getSetCookie()).cleared).toEqual([
        "appSession",
        "appSession.t",
      ]);
      expect(await other.isSignedIn(copy)).toBe(false);
      const ended = {
        event: "sign-out",
        reason: "ended",
        sub: "person-ada",
        cause: "organization_mismatch",
      };
      expect(other.events).toContainEqual({ ...ended, session: expect.any(String) });
    },
  );

  test("judges an organization that sessions leave out by userinfo and the ID token, as a refresh does [MX-080]", async () => {
    let claims = {};
    const other = await startWorld({
      options: {
        refetchUserinfo: true,
        organization: "org_harbour",
        identityClaimFilter: ["org_id"],
        fetch: changedFetch("/me", (known) => ({ ...known, ...claims })),
      },
    });
    const browser = other.browser();
    await browser.signIn();
    const answer = await browser.request("/api/auth/me");
    expect([answer.status, answer.text.includes("org_id")]).toEqual([200, false]);
    claims = { org_id: "org_orchard" };
    const refused = await browser.request("/api/auth/me");
    expect([refused.status, problemIn(refused).reason]).toEqual([400, "organization_mismatch"]);
  });

  test("a refused refresh token leaves the known profile, and one warning", async () => {
    const other = await startWorld({
      provider: { lifetimes: { accessToken: 30 } },
      options: {
        refetchUserinfo: true,
        fetch: (input, init) =>
          isRefresh(init)
            ? Promise.resolve(Response.json({ error: "invalid_grant" }, { status: 400 }))
            : fetch(input, init),
      },
    });
    const browser = other.browser();
    await browser.signIn();
    other.advance(60);
    for (let count = 0; count < 2; count += 1) {
      const answer = await browser.request("/api/auth/me");
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.text)).toMatchObject({ sub: "person-ada" });
    }
    const warnings = other.events.filter(({ event }) => event === "warning");
    expect(warnings).toMatchObject([{ message: expect.stringContaining("LATCHKEY_SCOPE") }]);
    expect(other.events.filter(({ event }) => event === "refusal")).toEqual([]);
  });

  test("sends the known profile if userinfo rejects a valid access token, and warns once", async () => {
    let isRevoked = false;
    const other = await startWorld({
      options: {
        refetchUserinfo: true,
        fetch: (input, init) =>
          isRevoked && new URL(input).pathname === "/me"
            ? Promise.resolve(new Response(null, { status: 401 }))
            : fetch(input, init),
      },
    });
    const browser = other.browser();
    await browser.signIn();
    isRevoked = true;
    for (let count = 0; count < 2; count += 1) {
      const answer = await browser.request("/api/auth/me");
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.text)).toMatchObject({ sub: "person-ada" });
    }
    expect(other.events.filter(({ event }) => event === "warning")).toHaveLength(1);
    expect(other.events.filter(({ event }) => event === "refusal")).toEqual([]);
  });

  test("keeps a renewed refresh token if the userinfo endpoint fails", async () => {
    let isFailing = false;
    const other = await startWorld({
      provider: { lifetimes: { accessToken: 30 } },
      options: {
        refetchUserinfo: true,
        fetch: (input, init) =>
          isFailing && new URL(input).pathname === "/me"
            ? Promise.reject(new TypeError("connection refused"))
            : fetch(input, init),
      },
    });
    const browser = other.browser();
    await browser.signIn();
    isFailing = true;
    const failed = await browser.request("/api/auth/me");
    expect(failed.status).toBe(500);
    expect(problemIn(failed).code).toBe("ERR_PROFILE_HANDLER_FAILURE");
    expect(failed.headers.get("cache-control")).toBe("private, no-store");
    isFailing = false;
    other.advance(60);
    expect((await browser.request("/api/auth/me")).status).toBe(200);
  });
});
