import { describe, expect, test } from "vitest";

import { expectPage, expectPrivate, navigation, script } from "./expectations.ts";
import { host, publicVariable, sharedWorld } from "./world.ts";

describe(`require() in a handler on ${host.title}`, () => {
  const world = sharedWorld({
    environment: publicVariable("/ /cacheable /private /require /require-rule /api/"),
  });

  test.each(["/require", "/private"])(
    "[AD-030] sends a person who opens %s without a session to login, with the way back",
    async (path) => {
      const response = await world().send({ target: `${path}?tab=2`, headers: navigation });
      const isOwn = host.pagesHaveHeadersOfTheirOwn === true && path === "/private";
      expect([response.status, response.header("location")]).toEqual([
        isOwn ? 307 : 302,
        `${world().baseURL}/api/auth/login?returnTo=${encodeURIComponent(path)}%3Ftab%3D2`,
      ]);
      expectPrivate(response);
      expect(isOwn ? "" : response.body).toBe("");
    },
  );

  test.each([
    ["/require", script],
    ["/api/me", navigation],
    ["/api/me", {}],
    ["/api/token", {}],
  ])("[AD-030] answers %s, asked with %j, 401 as JSON", async (target, headers) => {
    const response = await world().send({ target, headers });
    expect(response.status).toBe(401);
    expect(response.header("content-type")).toMatch(/^application\/json/);
    expect(JSON.parse(response.body)).toMatchObject({ error: "not_authenticated" });
    expect(response.header("cache-control")).toBe("private, no-store");
  });

  test("[AD-030] lets whoever is signed in and meets the rule go on", async () => {
    const browser = await world().signedIn();
    expectPage(await browser.request("/require"), "Member Ada Okafor");
    expectPage(await browser.request("/require-rule"), "Editor Ada Okafor");
    expect((await browser.request("/api/me")).status).toBe(200);
  });

  test.each([
    ["a page", navigation, /^text\/html/],
    ["a script", { ...script, accept: "application/json" }, /^application\/json/],
  ])(
    "[AD-030] answers %s 403 in its own shape where the rule is not met, and the session lives on",
    async (_, headers, type) => {
      const browser = await world().signedIn("person-ben");
      const refused = await browser.request("/require-rule", { headers });
      expect(refused.status).toBe(403);
      expect(refused.headers.get("content-type")).toMatch(type);
      expect(refused.headers.get("cache-control")).toBe("private, no-store");
      expectPage(await browser.request("/require"), "Member Ben Castellan");
    },
  );

  test("[AD-031] an error of the application keeps its own page and status", async () => {
    const browser = await world().signedIn();
    const { status, text } = await browser.request("/api/fail");
    expect([status, text]).toEqual([500, expect.not.stringContaining("not_authenticated")]);
    expect(text).not.toContain("latchkey");
  });
});
