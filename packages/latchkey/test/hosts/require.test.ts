import express from "express";
import { Hono } from "hono";
import { LatchkeyError, type RequestAuth } from "latchkey";
import { latchkey } from "latchkey/express";
import { latchkey as latchkeyOfHono } from "latchkey/hono";
import { describe, expect, test } from "vitest";

import { hosts } from "./world/hosts.ts";
import { worldOfDescribe, worldOfTest } from "./world/host-world.ts";
import { listenerOf } from "../server.ts";

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
    "answers %s with the status line and the headers of our response alone [AD-030]",
    async (target) => {
      const response = await world().send({ target, headers: navigation });
      expect([response.status, response.reason, response.body]).toEqual([302, "Found", ""]);
      expect(response.header("content-security-policy")).toBeNull();
      const refused = await world().send({ target, headers: script });
      expect([refused.status, refused.reason]).toEqual([401, "Unauthorized"]);
      expect(JSON.parse(refused.body)).toMatchObject({ error: "not_authenticated" });
    },
  );

  test("leaves a page alone that the application sends although it was refused [AD-030]", async () => {
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
    options: { publicPaths: ["/", "/require-acr"] },
  });

  test("sends a person who must sign in better to the provider, and back to the page that they asked for [AD-030, GW-049]", async () => {
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

  test("answers a script that must sign in better 401 with the challenge of RFC 9470 [GW-049]", async () => {
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
});

test("a handler of Hono that returns nothing meets the error that Hono has for it [AD-031]", async () => {
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
