import { parse } from "node-html-parser";
import { beforeAll, describe, expect, test } from "vitest";

import type { Answer, Browser } from "../../../packages/latchkey/test/browser/browser.ts";
import { navigation } from "../expectations.ts";
import { look } from "../pages-example.ts";
import { type DrivenHost, sharedWorld, type World, worldOfTest } from "./world.ts";

/** Mounts the pages, with a list of devices and recent activity. */
const withPages = {
  WITH_PAGES: "yes",
  LATCHKEY_SESSION_STATEFUL: "true",
  LATCHKEY_ACTIVITY: "true",
};

/** The pages of `@latchkey/pages` on a host, in the place of the built-in ones. */
export function pageRows(host: DrivenHost): void {
  describe(`the pages of @latchkey/pages on ${host.title}`, () => {
    const world = sharedWorld(host, { environment: withPages });
    let ada: Browser;
    beforeAll(async () => {
      ada = await world().signedIn();
    });
    accountRows(world, () => ada);
    deviceRows(world);
    signOutRows(world);
    problemRows(world, () => ada);
    fileRows(world, () => ada);
  });
}

function accountRows(world: () => World, ada: () => Browser): void {
  test("lead a visitor without a session to login, and back", async () => {
    const { baseURL } = world();
    const browser = world().browser();
    const { location, status } = await show(browser, `${baseURL}/_auth/account`);
    const returnTo = encodeURIComponent(new URL(`${baseURL}/_auth/account`).pathname);
    expect([status, location]).toEqual([302, `${baseURL}/api/auth/login?returnTo=${returnTo}`]);
    const account = await browser.signIn(`${baseURL}/_auth/account`);
    expect([account.url.href, account.status]).toEqual([`${baseURL}/_auth/account`, 200]);
  });

  test("show the account with the look of the app, which no cache keeps", async () => {
    const account = await show(ada(), address(world, "/_auth/account"));
    expectOurs(account, 200, "Your account");
    expect(mainOf(account)).toContain("Ada Okafor");
    const logo = parse(account.text).querySelector("img.logo")?.getAttribute("src");
    expect(logo).toBe(new URL(address(world, look.logo)).pathname);
    const details = await show(ada(), address(world, "/_auth/account/details"));
    expectOurs(details, 200, "All details");
    expect(mainOf(details)).toContain("person-ada");
  });

  test("lead from their prefix to the account", async () => {
    const { location, status } = await show(ada(), address(world, "/_auth"));
    expect([status, location]).toEqual([302, address(world, "/_auth/account")]);
  });
}

function deviceRows(world: () => World): void {
  test("rename a device by a form, and end another one", async () => {
    const browser = await world().signedIn("person-ben");
    const other = await world().signedIn("person-ben");
    const before = await show(browser, address(world, "/_auth/devices"));
    expectOurs(before, 200, "Signed-in devices");
    expect(mainOf(before)).toContain("This device");
    const rename = actionsOn(before).find((action) => action.includes("/name")) ?? "";
    const renamed = await post(world, browser, rename, "name=Kitchen+%26+K%C3%BCche");
    expect(renamed.status).toBe(303);
    expect(mainOf(await show(browser, renamed.location))).toContain("Saved: Kitchen & Küche.");
    const ended = await post(world, browser, "/_auth/devices/others");
    expect([ended.status, new URL(ended.location).hash]).toEqual([303, "#done"]);
    const after = mainOf(await show(browser, ended.location));
    expect(after).toContain("is signed out.");
    expect(after).toMatch(/Recent activity.*Signed out on 1 other device/);
    const me = address(world, "/api/auth/me");
    expect([(await other.request(me)).status, (await browser.request(me)).status]).toEqual([
      204, 200,
    ]);
  });
}

function signOutRows(world: () => World): void {
  test("sign out on all devices, and count them", async () => {
    const other = await world().signedIn("person-clara");
    const browser = await world().signedIn("person-clara");
    const question = await show(browser, address(world, "/_auth/devices/all"));
    expectOurs(question, 200, "Sign out on all devices?");
    const { location, status } = await post(world, browser, "/_auth/devices/all");
    expect([status, location]).toEqual([303, address(world, "/api/auth/logout")]);
    const page = await browser.open(location);
    expect(receiptOf(page)).toContain("Other devices: 1 signed out");
    expect((await other.request(address(world, "/api/auth/me"))).status).toBe(204);
  });
}

function problemRows(world: () => World, ada: () => Browser): void {
  test("explain a callback without its sign-in, and an unknown address", async () => {
    const browser = world().browser();
    const callback = await show(browser, address(world, "/api/auth/callback?error=a&state=b"));
    expectOurs(callback, 400, "Let's start that again");
    const none = await show(browser, address(world, "/api/auth/nothing"));
    expectOurs(none, 404, "Page not found");
  });

  test("answer requests for nothing with a clear 4xx", async () => {
    const headers = { ...navigation, origin: new URL(world().baseURL).origin };
    for (const request of nothings) {
      const [method = "", path = ""] = request.split(" ");
      const { status } = await ada().request(address(world, path), { method, headers });
      expect([request, status]).toEqual([request, expect.toBeOneOf([404, 405])]);
    }
  });
}

function fileRows(world: () => World, ada: () => Browser): void {
  test("load their script, which caches may keep for a year", async () => {
    const { text } = await show(ada(), address(world, "/_auth/account"));
    const [, script = ""] = /<script type="module" src="([^"]+)"/.exec(text) ?? [];
    expect(script).toContain("/_auth/assets/watch-");
    const { status, headers } = await ada().request(script);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^text\/javascript/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("set-cookie")).toBeNull();
    expect((await ada().request(script, { method: "PUT" })).status).toBe(405);
  });
}

/** The page about settings that cannot be used, on a host in development. */
export function setupRow(host: DrivenHost): void {
  test(`developers see what to set on ${host.title}`, async () => {
    const wrong = { LATCHKEY_SECRET: "short", LATCHKEY_BASE_URL: "no address" };
    const environment = { ...withPages, ...wrong, NODE_ENV: "development" };
    const world = await worldOfTest(host, { environment });
    const page = await show(world.browser(), world.baseURL);
    expectSetup(page);
    expect(mainOf(page)).toContain(`${world.baseURL}/api/auth/callback`);
  });
}

/** The page about a secret that cannot be used. */
export function expectSetup(page: Answer): void {
  expect([page.status, page.headers.get("cache-control")]).toEqual([500, "no-store"]);
  expect(mainOf(page)).toMatch(/Harbour isn't ready yet.*LATCHKEY_SECRET/);
}

const nothings = [
  "POST /_auth/account",
  "DELETE /_auth/devices",
  "PUT /_auth/assets/none.js",
  "POST /_auth/signed-out",
  "GET /_auth/account/none",
];

/** An absolute address below the base URL. */
function address(world: () => World, path: string): string {
  return world().baseURL + path;
}

function show(browser: Browser, target: string): Promise<Answer> {
  return browser.request(target, { headers: navigation });
}

function post(
  world: () => World,
  browser: Browser,
  action: string,
  body = "",
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { baseURL } = world();
  const own = { origin: new URL(baseURL).origin, "sec-fetch-site": "same-origin" };
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const isBelow = action.startsWith(new URL(`${baseURL}/_auth`).pathname);
  const target = isBelow ? new URL(action, baseURL).href : baseURL + action;
  return browser.request(target, {
    method: "POST",
    headers: { ...navigation, ...own, ...type, ...headers },
    body,
  });
}

/** A page with the look and the policy of the app, which no cache keeps. */
function expectOurs({ headers, status, text }: Answer, expected: number, title: string): void {
  expect(status).toBe(expected);
  expect(parse(text).querySelector("title")?.text).toContain(`${title} · ${look.name}`);
  expect(text.includes(look.accent)).toBe(true);
  expect(headers.get("content-type")).toMatch(/^text\/html/);
  expect(headers.get("cache-control")).toMatch(/\bno-store\b/);
  expect(headers.get("content-security-policy")).toMatch(
    /default-src 'none'.*script-src 'self' 'sha256-/,
  );
}

/** The content of a page as text, without the marks around names. */
function mainOf({ text }: Answer): string {
  const content = parse(text).querySelector("main")?.text ?? "";
  return content.replaceAll(/[\u2068\u2069]/g, "");
}

/** The addresses of the posted forms of a page. */
function actionsOn({ text }: Answer): readonly string[] {
  const forms = parse(text).querySelectorAll("form[method=post]");
  return forms.map((form) => form.getAttribute("action") ?? "");
}

/** The visible lines of a receipt of signing out. */
function receiptOf({ text }: Answer): readonly string[] {
  return parse(text)
    .querySelectorAll(".receipt li:not([hidden])")
    .map((line) =>
      line
        .querySelectorAll("span")
        .map((each) => each.text)
        .join(": "),
    );
}
