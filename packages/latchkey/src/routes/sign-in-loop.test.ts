import { describe, expect, test } from "vitest";

import { createAuth } from "../host/auth.ts";
import type { Browser } from "../../test/browser/browser.ts";
import { createQuickApp } from "../../test/worlds/quick-app.ts";
import { namesIn } from "../../test/browser/cookie-jar.ts";
import { problemIn, startWorld } from "../../test/worlds/world.ts";

const world = await startWorld();

/** Removes the session's cookies and keeps all others, as a browser or proxy may do. */
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

describe("a browser in a sign-in loop", () => {
  test("is stopped at the third login within a minute, with the reason", async () => {
    const browser = world.browser();
    await signInInVain(browser);
    await signInInVain(browser);
    const answer = await browser.request("/api/auth/login?returnTo=/private");
    expect(answer.status).toBe(400);
    expect(answer.location).toBe("");
    expect(namesIn(answer.headers.getSetCookie())).toEqual({ set: [], cleared: ["auth_loop"] });
    expect(problemIn(answer)).toMatchObject({ kind: "loop", reason: "sign_in_loop" });
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(answer.headers.get("vary")).toBe("Cookie");
  });

  test("may try again after the page that stops it", async () => {
    const browser = world.browser();
    await signInInVain(browser);
    await signInInVain(browser);
    expect((await browser.request("/api/auth/login")).status).toBe(400);
    expect((await browser.request("/api/auth/login")).status).toBe(302);
  });

  test("may continue if its session returned in between", async () => {
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

  test("may sign in without limit if it is a signed-in program", async () => {
    const browser = world.browser();
    for (let count = 0; count < 4; count += 1) await browser.signIn(toPrivate);
    expect((await browser.request(toPrivate)).status).toBe(302);
  });

  test("is stopped at the fifth login to the same address, even with a session", async () => {
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

  test("may continue if its sign-ins lead to different pages, or to no safe one", async () => {
    const browser = world.browser();
    for (const returnTo of ["/private", "/private/a", "/private", "//evil.example", "", "/private"])
      await browser.signIn(`/api/auth/login?returnTo=${returnTo}`);
    for (let count = 0; count < 5; count += 1) await browser.signIn("/api/auth/login");
    expect((await browser.request("/api/auth/login", page)).status).toBe(302);
    expect((await browser.request(toPrivate, page)).status).toBe(302);
  });

  test("may continue if it sends its session with the next sign-in", async () => {
    const browser = world.browser();
    for (let count = 0; count < 3; count += 1) await browser.signIn("/api/auth/login");
    await withoutSession(browser);
    expect((await browser.request("/api/auth/login")).status).toBe(302);
  });

  test("may continue if another tab replaced its session", async () => {
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

  test("may continue if it signed out in between", async () => {
    const browser = world.browser();
    for (let count = 0; count < 4; count += 1) {
      await browser.signIn("/private");
      await browser.open("/api/auth/logout");
    }
    expect((await browser.request("/api/auth/login")).status).toBe(302);
  });
});

test("a sign-in after a sign-out everywhere at an instance whose clock is ahead succeeds at the second try", async () => {
  const { options } = world;
  const ahead = createAuth({ ...options, clock: () => (options.clock?.() ?? 0) + 2000 });
  await ahead.endUser("person-ada", { operator: "ann" });
  const browser = world.browser();
  const answer = await browser.callback("/private");
  expect(namesIn(answer.headers.getSetCookie()).set).toEqual([]);
  expect(world.events.at(-1)).toMatchObject({ detail: expect.stringContaining("ahead") as string });
  const [, again = ""] = (answer.headers.get("refresh") ?? "").split("url=");
  expect((await browser.callback(again)).location).toBe(`${world.baseURL}/private`);
  expect((await browser.request("/private")).status).toBe(200);
});

describe("cookies too large for servers on the way", () => {
  test("are cleared at login if they hold no session, and the user may try again", async () => {
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

  test("are kept if they belong to others, and login continues", async () => {
    const headers = { cookie: `theirs=${"x".repeat(13_000)}` };
    expect((await world.browser().request("/api/auth/login", { headers })).status).toBe(302);
  });

  test("are kept if they hold an active session, and login continues", async () => {
    const browser = await world.signedIn();
    const cookie = `${await browser.cookies()}; theirs=${"x".repeat(13_000)}`;
    const answer = await browser.request("/api/auth/login", { headers: { cookie } });
    expect(answer.status).toBe(302);
  });

  test("are kept if they belong to others, even if the provider posts its response", async () => {
    const app = createQuickApp({ baseURL: "https://app.example", responseMode: "form_post" });
    const { status } = await app.ask("/api/auth/login", { jar: { theirs: "x".repeat(13_000) } });
    expect(status).toBe(302);
  });
});
