import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Browser } from "../../test/browser.ts";
import { problemIn, startWorld, type World } from "../../test/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** A browser, or something on the way to it, that keeps all cookies but the session's. */
async function withoutSession(browser: Browser): Promise<void> {
  for (const cookie of await browser.jar.getCookies(world.baseURL)) {
    if (cookie.key.startsWith("appSession")) {
      await browser.jar.store.removeCookie(cookie.domain ?? "", cookie.path ?? "/", cookie.key);
    }
  }
}

async function signInInVain(browser: Browser): Promise<void> {
  const { address } = await browser.untilCallback();
  expect((await browser.request(address)).status).toBe(302);
  await withoutSession(browser);
}

describe("a browser that goes round in circles", () => {
  test("is stopped at the third login within a minute, and told why", async () => {
    const browser = world.browser();
    await signInInVain(browser);
    await signInInVain(browser);
    const answer = await browser.request("/api/auth/login?returnTo=/private");
    expect(answer.status).toBe(400);
    expect(answer.location).toBe("");
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(problemIn(answer)).toMatchObject({ kind: "loop", reason: "sign_in_loop" });
  });

  test("may try again after a minute", async () => {
    const browser = world.browser();
    await signInInVain(browser);
    await signInInVain(browser);
    const turns = await browser.jar.getCookies(world.baseURL);
    const { expires } = turns.find(({ key }) => key === "auth_turns") ?? {};
    expect(expires).toBeInstanceOf(Date);
    const left = (expires instanceof Date ? expires.getTime() : 0) - Date.now();
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(60_000);
  });

  test("is no such browser when the session came back in between", async () => {
    const browser = world.browser();
    await signInInVain(browser);
    await browser.signIn("/private");
    await browser.request("/api/auth/me");
    expect(await browser.cookies()).not.toContain("auth_turns");
    await withoutSession(browser);
    await signInInVain(browser);
    expect((await browser.request("/api/auth/login")).status).toBe(302);
  });

  test("is no such browser when it is signed in, however often", async () => {
    const browser = world.browser();
    for (let count = 0; count < 4; count += 1) await browser.signIn("/api/auth/login");
    expect((await browser.request("/api/auth/login")).status).toBe(302);
  });

  test("is no such browser when the session came along to the next sign-in", async () => {
    const browser = world.browser();
    for (let count = 0; count < 3; count += 1) await browser.signIn("/api/auth/login");
    await withoutSession(browser);
    expect((await browser.request("/api/auth/login")).status).toBe(302);
  });

  test("is no such browser when another tab has replaced its session meanwhile", async () => {
    const browser = world.browser();
    await browser.signIn("/private");
    const before = await browser.cookies();
    await browser.signIn("/api/auth/login");
    const cookie = `${before.replace(/auth_turns=\d+/, "")}; auth_turns=2`;
    const answer = await world.browser().request("/api/auth/login", { headers: { cookie } });
    expect(answer.status).toBe(302);
  });

  test("is no such browser when it signed out in between", async () => {
    const browser = world.browser();
    for (let count = 0; count < 4; count += 1) {
      await browser.signIn("/private");
      await browser.open("/api/auth/logout");
    }
    expect((await browser.request("/api/auth/login")).status).toBe(302);
  });

  test.each(["x", "-1", "1e9", "99999999999999999999"])(
    "is judged by a number: a count of %s locks nobody out for good",
    async (turns) => {
      const headers = { cookie: `auth_turns=${turns}` };
      const { status } = await world.browser().request("/api/auth/login", { headers });
      expect([302, 400]).toContain(status);
    },
  );
});

describe("cookies that are too large for servers on the way", () => {
  test("are cleared at login where they are no session, and the person may try again", async () => {
    const browser = world.browser();
    const junk = "x".repeat(4000);
    const cookie = ["appSession.0", "appSession.1", "appSession.2", "appSession.3"]
      .map((name) => `${name}=${junk}`)
      .join("; ");
    const answer = await browser.request("/api/auth/login", { headers: { cookie } });
    expect(answer.status).toBe(400);
    expect(problemIn(answer).kind).toBe("too-many-cookies");
    expect(answer.headers.getSetCookie()).toHaveLength(4);
    expect((await browser.request("/api/auth/login")).status).toBe(302);
  });

  test("of others are not ours to clear: login goes on", async () => {
    const headers = { cookie: `theirs=${"x".repeat(13_000)}` };
    expect((await world.browser().request("/api/auth/login", { headers })).status).toBe(302);
  });
});
