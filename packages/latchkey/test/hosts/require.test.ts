import express from "express";
import { Hono } from "hono";
import { LatchkeyError, type RequestAuth } from "latchkey";
import { latchkey } from "latchkey/express";
import { latchkey as latchkeyOfHono } from "latchkey/hono";
import { describe, expect, test } from "vitest";

import { hosts } from "./world/hosts.ts";
import { worldOfDescribe, worldOfTest } from "./world/host-world.ts";
import { listenerOf } from "./world/server.ts";

const navigation = {
  accept: "text/html",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
};
const script = { accept: "*/*", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };

describe("require() on Express without an error page of the application's own", () => {
  const world = worldOfDescribe({
    app: (auth) => {
      const app = express().set("env", "test").use(latchkey(auth));
      return app.get("/require", (req, res) => {
        if ("twice" in req.query) res.set("X-Refused", refusalOf(req.auth));
        if ("caught" in req.query) res.send(refusalOf(req.auth));
        else res.send(`Member ${req.auth.require().user.name}`);
      });
    },
  });

  test.each(["/require", "/require?twice"])(
    "[AD-030] answers %s with the status line and the headers of our response alone",
    async (target) => {
      const response = await world().send({ target, headers: navigation });
      expect([response.status, response.reason, response.body]).toEqual([302, "Found", ""]);
      expect(response.header("content-security-policy")).toBeNull();
      const refused = await world().send({ target, headers: script });
      expect([refused.status, refused.reason]).toEqual([401, "Unauthorized"]);
      expect(JSON.parse(refused.body)).toMatchObject({ error: "not_authenticated" });
    },
  );

  test("[AD-030] leaves a page alone that the application sends although it was refused", async () => {
    const response = await world().send({ target: "/require?caught", headers: navigation });
    expect([response.status, response.body]).toEqual([200, "ERR_SIGN_IN_REQUIRED"]);
    expect(response.header("cache-control")).toBe("private, no-store");
  });
});

/** The code of what `require()` throws. */
function refusalOf(auth: RequestAuth): string {
  try {
    auth.require();
    return "nothing";
  } catch (error) {
    return error instanceof LatchkeyError ? error.code : String(error);
  }
}

describe.each(hosts)("require() in a handler on $name", (host) => {
  const world = worldOfDescribe({
    app: host.app,
    options: { publicPaths: ["/", "/require", "/require-rule", "/require-acr", "/api/"] },
  });

  test("[AD-030] sends a person who opens a page without a session to login, with the way back", async () => {
    const response = await world().send({ target: "/require?tab=2", headers: navigation });
    expect([response.status, response.header("location")]).toEqual([
      302,
      `${world().baseURL}/api/auth/login?returnTo=%2Frequire%3Ftab%3D2`,
    ]);
    expect(response.header("cache-control")).toBe("private, no-store");
    expect(response.body).toBe("");
  });

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
    expect((await browser.request("/require")).text).toBe("Member Ada Okafor");
    expect((await browser.request("/require-rule")).text).toBe("Editor Ada Okafor");
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
      expect(refused.text).not.toContain("Sorry, that broke");
      expect(refused.headers.get("cache-control")).toBe("private, no-store");
      expect((await browser.request("/require")).text).toBe("Member Ben Castellan");
    },
  );

  test("[AD-030, GW-049] sends a person who must sign in better to the provider, and back to the page that they asked for", async () => {
    const browser = await world().signedIn();
    const refused = await browser.request("/require-acr?tab=2", { headers: navigation });
    const login = new URL(refused.location);
    expect([refused.status, login.pathname, login.searchParams.get("returnTo")]).toEqual([
      302,
      "/api/auth/login",
      "/require-acr?tab=2",
    ]);
    const page = await browser.signIn("/require-acr?tab=2");
    expect([page.url.search, page.text]).toEqual(["?tab=2", "Trusted Ada Okafor"]);
  });

  test("[GW-049] answers a script that must sign in better 401 with the challenge of RFC 9470", async () => {
    const browser = await world().signedIn();
    const headers = { ...script, cookie: await browser.cookies() };
    const refused = await world().send({ target: "/require-acr", headers });
    expect([refused.status, refused.header("www-authenticate")]).toEqual([
      401,
      'Bearer error="insufficient_user_authentication", error_description="A different authentication of the user is required.", acr_values="mfa phr"',
    ]);
    expect(JSON.parse(refused.body)).toMatchObject({
      error: "insufficient_user_authentication",
      acr_values: "mfa phr",
    });
  });

  test("[AD-030] without a session a rule sends to login and is not asked", async () => {
    const { status } = await world().send({ target: "/require-rule", headers: navigation });
    expect(status).toBe(302);
  });

  test("[AD-031] an error of the application keeps its own page and status", async () => {
    const browser = await world().signedIn();
    const { status, text, headers } = await browser.request("/api/fail");
    expect([status, text]).toEqual([500, "Sorry, that broke"]);
    expect(headers.get("content-type") ?? "text/plain").not.toMatch(/json/);
  });
});

test("[AD-031] a handler of Hono that returns nothing meets the error that Hono has for it", async () => {
  const world = await worldOfTest({
    app: (auth) => {
      const app = new Hono().use(latchkeyOfHono(auth));
      app.use("/public/*", async () => {});
      app.onError((error, c) => c.text(error.message, 500));
      return listenerOf(app.fetch);
    },
  });
  const response = await world.send({ target: "/public/nothing" });
  expect([response.status, response.body]).toEqual([500, expect.stringContaining("not finalized")]);
});
