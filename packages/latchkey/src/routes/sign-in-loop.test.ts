import { describe, expect, test } from "vitest";

import type { Browser } from "../../test/browser/browser.ts";
import { createQuickApp } from "../../test/worlds/quick-app.ts";
import { namesIn } from "../../test/browser/cookie-jar.ts";
import { problemIn, startWorld } from "../../test/worlds/world.ts";

const world = await startWorld();

/** A browser, or something on the way to it, that keeps all cookies but the session's. */
async function withoutSession(browser: Browser): Promise<void> {
  for (const cookie of await browser.jar.getCookies(world.baseURL)) {
    if (cookie.key.startsWith("appSession")) {
      await browser.jar.store.removeCookie(cookie.domain ?? "", cookie.path ?? "/", cookie.key);
    }
  }
}

async function signInInVain(browser: Browser): Promise<void> {
  expect((await browser.callback()).status).toBe(302);
  await withoutSession(browser);
}

describe("a browser that goes round in circles", () => {
  test("it is stopped at the third login within a minute, and told why", async () => {
    const browser = world.browser();
    await signInInVain(browser);
    await signInInVain(browser);
    const answer = await browser.request("/api/auth/login?returnTo=/private");
    expect(answer.status).toBe(400);
    expect(answer.location).toBe("");
    expect(namesIn(answer.headers.getSetCookie())).toEqual({ set: [], cleared: ["auth_loop"] });
    expect(problemIn(answer)).toMatchObject({ kind: "loop", reason: "sign_in_loop" });
  });

  test("the page that stops it lets the next try through", async () => {
    const browser = world.browser();
    await signInInVain(browser);
    await signInInVain(browser);
    expect((await browser.request("/api/auth/login")).status).toBe(400);
    expect((await browser.request("/api/auth/login")).status).toBe(302);
  });

  test("a browser whose session came back in between is let through", async () => {
    const browser = world.browser();
    await signInInVain(browser);
    await browser.signIn("/private");
    await browser.request("/api/auth/me");
    expect(await browser.cookies()).not.toContain("auth_loop");
    await withoutSession(browser);
    await signInInVain(browser);
    expect((await browser.request("/api/auth/login")).status).toBe(302);
  });

  const page = { headers: { "sec-fetch-dest": "document" } };
  const toPrivate = "/api/auth/login?returnTo=/private";

  test("a program that is signed in is let through, however often it signs in", async () => {
    const browser = world.browser();
    for (let count = 0; count < 4; count += 1) await browser.signIn(toPrivate);
    expect((await browser.request(toPrivate)).status).toBe(302);
  });

  test("a browser that is led to login again and again, although it is signed in, is stopped at the fifth", async () => {
    const browser = world.browser();
    for (let count = 0; count < 3; count += 1) await browser.signIn(toPrivate);
    expect((await browser.request(toPrivate, page)).status).toBe(302);
    await browser.signIn(toPrivate);
    const answer = await browser.request(toPrivate, page);
    expect([answer.status, answer.location]).toEqual([400, ""]);
    expect(problemIn(answer)).toMatchObject({ kind: "setup-wrong", reason: "sign_in_repeated" });
    expect((await browser.request(toPrivate, page)).status).toBe(302);
    expect((await browser.request("/private")).status).toBe(200);
  });

  test("sign-ins that lead to different pages, or to none that is safe, stop nobody", async () => {
    const browser = world.browser();
    for (const returnTo of ["/private", "/private/a", "/private", "//evil.example", "", "/private"])
      await browser.signIn(`/api/auth/login?returnTo=${returnTo}`);
    for (let count = 0; count < 5; count += 1) await browser.signIn("/api/auth/login");
    expect((await browser.request("/api/auth/login", page)).status).toBe(302);
    expect((await browser.request(toPrivate, page)).status).toBe(302);
  });

  test("sign-ins that are more than a minute apart stop nobody", async () => {
    const browser = world.browser();
    for (let count = 0; count < 4; count += 1) {
      await browser.signIn(toPrivate);
      world.advance(61);
    }
    expect((await browser.request(toPrivate, page)).status).toBe(302);
    world.advance(-4 * 61);
  });

  test("a browser that brought its session to the next sign-in is let through", async () => {
    const browser = world.browser();
    for (let count = 0; count < 3; count += 1) await browser.signIn("/api/auth/login");
    await withoutSession(browser);
    expect((await browser.request("/api/auth/login")).status).toBe(302);
  });

  test("a browser whose session another tab has replaced is let through", async () => {
    const browser = world.browser();
    await browser.signIn("/private");
    const before = await browser.cookies();
    await browser.signIn("/api/auth/login");
    const other = world.browser();
    await signInInVain(other);
    await signInInVain(other);
    const counter = await other.cookies();
    const cookie = `${before.replace(/auth_loop=[^;]+/, "")}; ${counter}`;
    const answer = await world.browser().request("/api/auth/login", { headers: { cookie } });
    expect(answer.status).toBe(302);
  });

  test("a browser that signed out in between is let through", async () => {
    const browser = world.browser();
    for (let count = 0; count < 4; count += 1) {
      await browser.signIn("/private");
      await browser.open("/api/auth/logout");
    }
    expect((await browser.request("/api/auth/login")).status).toBe(302);
  });
});

describe("cookies that are too large for servers on the way", () => {
  test("cookies that are no session are cleared at login, and the person may try again", async () => {
    const browser = world.browser();
    const junk = "x".repeat(4000);
    const cookie = ["appSession.0", "appSession.1", "appSession.2", "appSession.3"]
      .map((name) => `${name}=${junk}`)
      .join("; ");
    const login = "/api/auth/login?returnTo=%2Freports";
    const answer = await browser.request(login, { headers: { cookie } });
    expect(answer.status).toBe(400);
    const { kind, signInURL } = problemIn(answer);
    expect([kind, new URL(signInURL).searchParams.get("returnTo")]).toEqual([
      "too-many-cookies",
      `${world.baseURL}/reports`,
    ]);
    expect(answer.headers.getSetCookie()).toHaveLength(4);
    expect((await browser.request("/api/auth/login")).status).toBe(302);
  });

  test("cookies of others are left alone, and login goes on", async () => {
    const headers = { cookie: `theirs=${"x".repeat(13_000)}` };
    expect((await world.browser().request("/api/auth/login", { headers })).status).toBe(302);
  });

  test("a session that is active is left alone, and login goes on", async () => {
    const browser = await world.signedIn();
    const cookie = `${await browser.cookies()}; theirs=${"x".repeat(13_000)}`;
    const answer = await browser.request("/api/auth/login", { headers: { cookie } });
    expect(answer.status).toBe(302);
  });

  test("cookies of others are left alone where the provider posts its response, too", async () => {
    const app = createQuickApp({ baseURL: "https://app.example", responseMode: "form_post" });
    const { status } = await app.ask("/api/auth/login", { jar: { theirs: "x".repeat(13_000) } });
    expect(status).toBe(302);
  });
});
