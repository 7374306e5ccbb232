import { describe, expect, test } from "vitest";

import { createBrowser } from "../../packages/latchkey/test/browser/browser.ts";
import { navigation } from "./expectations.ts";
import { host, sharedWorld } from "./world.ts";

describe(`the pages of @latchkey/pages on ${host.title}`, () => {
  const world = sharedWorld({
    environment: { WITH_PAGES: "yes", LATCHKEY_SESSION_STATEFUL: "true" },
  });

  /** A page with the look of the app, which no cache keeps. */
  function expectOurs(page: { readonly text: string; readonly headers: Headers }, title: RegExp) {
    expect(page.text).toMatch(new RegExp(`<title>${title.source} · Harbour</title>`));
    expect(page.text).toContain("#7a1f5c");
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    expect(page.headers.get("cache-control")).toMatch(/\bno-store\b/);
  }

  test("show account and devices, and lead to login without a session", async () => {
    const { status, header } = await world().send({
      target: "/_auth/account",
      headers: navigation,
    });
    // Next makes an address of the app relative.
    expect([status, new URL(header("location") ?? "", world().baseURL).href]).toEqual([
      302,
      `${world().baseURL}/api/auth/login?returnTo=%2F_auth%2Faccount`,
    ]);
    const browser = await world().signedIn();
    const account = await browser.request("/_auth/account", { headers: navigation });
    expect(account.status).toBe(200);
    expectOurs(account, /Your account/);
    expect(account.headers.get("content-security-policy")).toMatch(
      /default-src 'none'.*script-src 'self' 'sha256-/,
    );
    expect(account.text).toContain("Ada Okafor");
    expect(account.text).toContain('src="/logo.svg"');
    const devices = await browser.request("/_auth/devices", { headers: navigation });
    expect(devices.status).toBe(200);
    expectOurs(devices, /Signed-in devices/);
    expect(devices.text).toContain("This device");
  });

  test("load their script, which caches may keep for a year", async () => {
    const browser = await world().signedIn();
    const { text } = await browser.request("/_auth/account", { headers: navigation });
    const [, script = ""] = /<script type="module" src="([^"]+)"/.exec(text) ?? [];
    expect(script).toMatch(/^\/_auth\/assets\/watch-/);
    const { status, headers } = await browser.request(script);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^text\/javascript/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("set-cookie")).toBeNull();
    expect((await browser.request(script, { method: "PUT" })).status).toBe(405);
  });

  test("rename a device by a form, and end another one", async () => {
    const browser = await world().signedIn();
    const other = createBrowser(world().baseURL);
    await other.signIn("/api/auth/login?returnTo=/private", "person-ada");
    const own = { ...navigation, origin: world().baseURL, "sec-fetch-site": "same-origin" };
    const { text } = await browser.request("/_auth/devices", { headers: navigation });
    const [, rename = ""] = /action="([^"]+\/name[^"]*)"/.exec(text) ?? [];
    const renamed = await browser.request(rename, {
      method: "POST",
      headers: { ...own, "content-type": "application/x-www-form-urlencoded" },
      body: "name=Kitchen",
    });
    expect(renamed.status).toBe(303);
    expect((await browser.request("/_auth/devices")).text).toContain("Kitchen");
    await browser.request("/_auth/devices/others", { method: "POST", headers: own });
    expect((await other.request("/api/auth/me")).status).toBe(204);
    expect((await browser.request("/api/auth/me")).status).toBe(200);
  });

  test("say that a user is signed out, and what went wrong", async () => {
    const browser = world().browser();
    const signedOut = await browser.request("/_auth/signed-out", { headers: navigation });
    expect(signedOut.status).toBe(200);
    expectOurs(signedOut, /[^<]+/);
    const problem = await browser.request("/api/auth/callback?error=server_error&state=unknown", {
      headers: navigation,
    });
    expect(problem.status).toBe(400);
    expectOurs(problem, /[^<]+/);
  });

  test.each([
    ["POST", "/_auth/account"],
    ["DELETE", "/_auth/devices"],
    ["PUT", "/_auth/assets/none.js"],
    ["POST", "/_auth/signed-out"],
    ["GET", "/_auth/account/none"],
  ])("answer %s %s with a clear 4xx", async (method, path) => {
    const browser = await world().signedIn();
    const headers = { ...navigation, origin: world().baseURL };
    const { status } = await browser.request(path, { method, headers });
    expect([404, 405]).toContain(status);
  });
});
