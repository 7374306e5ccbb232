import { pages } from "@latchkey/pages";
import { createAuth, type Options } from "latchkey";
import { protect } from "latchkey/node";
import { describe, expect, test } from "vitest";

import { rawBytes } from "../browser/raw-bytes.ts";
import { goodSettings } from "../settings.ts";
import { worldOfTest } from "./world/host-world.ts";

const page = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

describe("a page of sign-in", () => {
  const startWith = async (accessRules: Options["accessRules"]) =>
    worldOfTest({
      app: (auth) => protect(auth, (_, response) => response.end("the app")),
      options: { pages: pages(), accessRules },
    });

  test("needs what an access rule says: a recent sign-in, or a claim [ASVS 7.5.2]", async () => {
    const world = await startWith({
      "/_auth/devices": { maxAge: 300 },
      "/_auth/account": { claim: { role: "admin" } },
    });
    const browser = await world.signedIn();
    const statusOf = async (target: string) =>
      (await browser.request(target, { headers: page })).status;
    expect([await statusOf("/_auth/devices"), await statusOf("/_auth/account")]).toEqual([
      200, 403,
    ]);
    await world.pass(600);
    const late = await browser.request("/_auth/devices", { headers: page });
    expect([late.status, late.headers.get("location")]).toEqual([
      302,
      expect.stringContaining(`/_auth/step-up?returnTo=${encodeURIComponent("/_auth/devices")}`),
    ]);
    const cookie = await browser.cookies();
    const ask = (line: string) =>
      rawBytes(
        world.baseURL,
        `${line} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nAccept: text/html\r\nCookie: ${cookie}\r\nContent-Length: 0\r\n\r\n`,
      );
    for (const line of [
      "GET /_auth/devices/all",
      "POST /_auth/devices/others",
      "GET /_auth/step-up/../devices",
      "GET /_auth/account/%2e%2e/devices",
      "GET /_auth/%64evices",
      "GET /_auth/devices/",
      "GET /_AUTH/devices",
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answer = await ask(line);
      expect([line, answer]).toEqual([line, expect.stringMatching(/^HTTP\/1.1 (?:30|40)/)]);
      expect(answer).not.toContain("This device");
    }
    expect(await ask("GET /_auth/step-up")).toMatch(/^HTTP\/1.1 200 /);
    const signedOut = await world.browser().request("/_auth/devices", { headers: page });
    expect(signedOut.headers.get("location")).toContain("/api/auth/login?");
  });

  test.each(["TRACE", "PUT", "OPTIONS"])("answers %s with 405", async (method) => {
    const world = await startWith({});
    const answer = await rawBytes(
      world.baseURL,
      `${method} /_auth/devices HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 405 /);
    expect(answer.toLowerCase()).toContain("\r\nallow: get, head, post");
  });
});

describe("an access rule for what stays open", () => {
  const ready = (path: string, more: Partial<Options> = {}) =>
    createAuth({
      ...goodSettings,
      log: () => undefined,
      accessRules: { [path]: { maxAge: 300 } },
      ...more,
    }).ready();

  test.each([
    "/_auth",
    "/_auth/",
    "/_AUTH/signed-out",
    "/_auth/form",
    "/_auth/session.json",
    "/_auth/session-events",
    "/api/auth",
    "/api/auth/me",
    "/API/auth/callback",
    "/api/auth/backchannel-logout",
    "/_auth/step-up",
    "/_auth/assets/x.js",
  ])("stops the start: %s", async (path) => {
    await expect(ready(path, { pages: pages() })).rejects.toThrow(
      `accessRules["${path}"]: covers routes of sign-in, which stay open to everyone`,
    );
  });

  test("stops the start for configured addresses, too, and below a base path", async () => {
    const routes = { login: "/enter", callback: "/done" };
    const more = { routes, pagesPrefix: "/Me", baseURL: "https://app.example/Shop" };
    for (const path of ["/enter", "/done", "/me", "/shop/me/signed-out", "/shop/api/auth"]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect(ready(path, more)).rejects.toThrow("covers routes of sign-in");
    }
  });

  test.each(["/", "/api", "/_auth/devices", "/_auth/account/details", "/_authors", "/api/authors"])(
    "does not stop it for %s",
    async (path) => {
      await expect(ready(path, { pages: pages() })).resolves.toBeUndefined();
    },
  );
});
