import { setTimeout as pause } from "node:timers/promises";
import { format } from "node:util";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";

import type { Browser } from "../../../packages/latchkey/test/browser/browser.ts";
import { expectPage, expectPrivate, navigation, script } from "../expectations.ts";
import { type DrivenHost, publicVariable, sharedWorld } from "./world.ts";

const nothingGuarded = ["/", "/cacheable", "/private", "/require", "/require-rule", "/api/"];

/** Handlers with their own checks. */
export function requireRows(host: DrivenHost): void {
  describe(`require() in a handler on ${host.title}`, () => {
    const world = sharedWorld(host, { environment: publicVariable(host, nothingGuarded) });
    let ada: Browser;
    let ben: Browser;
    beforeAll(async () => {
      ada = await world().signedIn();
      ben = await world().signedIn("person-ben");
    });

    test.each(["/require", "/private"])(
      "sends a person who opens %s without a session to login, with the way back [AD-030]",
      async (path) => {
        const response = await world().send({ target: `${path}?tab=2`, headers: navigation });
        const isOwn = host.pagesHaveHeadersOfTheirOwn === true && path === "/private";
        expect([response.status, response.header("location")]).toEqual([
          isOwn ? 307 : 302,
          `${world().baseURL}/api/auth/login?returnTo=${encodeURIComponent(path)}%3Ftab%3D2`,
        ]);
        expectPrivate(host, response);
        expect(isOwn ? "" : response.body).toBe("");
      },
    );

    test("leads to login without a session, and does not call the rule [AD-030]", async () => {
      const { status } = await world().send({ target: "/require-rule", headers: navigation });
      expect(status).toBe(302);
    });

    test.each([
      ["/require", script],
      ["/api/me", navigation],
      ["/api/me", {}],
      ["/api/token", {}],
    ])("answers %s with %j 401 as JSON [AD-030]", async (target, headers) => {
      const response = await world().send({ target, headers });
      expect(response.status).toBe(401);
      expect(response.header("content-type")).toMatch(/^application\/json/);
      expect(JSON.parse(response.body)).toMatchObject({ error: "not_authenticated" });
      expect(response.header("www-authenticate")).toMatch(/^Cookie realm="/);
      expect(response.header("cache-control")).toBe("private, no-store");
    });

    test("lets a signed-in user go on who meets the rule [AD-030]", async () => {
      expectPage(await ada.request("/require"), "Member Ada Okafor");
      expectPage(await ada.request("/require-rule"), "Editor Ada Okafor");
      expect((await ada.request("/api/me")).status).toBe(200);
    });

    test.each([
      ["a page", navigation, /^text\/html/],
      ["a script", { ...script, accept: "application/json" }, /^application\/json/],
    ])(
      "answers %s 403 in its own shape if the rule is not met, and the session lives on [AD-030]",
      async (_, headers, type) => {
        const refused = await ben.request("/require-rule", { headers });
        expect(refused.status).toBe(403);
        expect(refused.headers.get("content-type")).toMatch(type);
        expect(refused.text).not.toContain("Sorry, that broke");
        expect(refused.headers.get("cache-control")).toBe("private, no-store");
        expectPage(await ben.request("/require"), "Member Ben Castellan");
      },
    );

    test.each([
      ["/require", navigation],
      ["/require", script],
      ["/private", navigation],
      ["/api/me", {}],
    ])(
      "prints no stack for a refusal of %s with %j, which any client can cause [AD-030]",
      async (target, headers) => {
        const errors = vi.spyOn(console, "error").mockReturnValue();
        onTestFinished(() => errors.mockRestore());
        const before = world().log().length;
        await world().send({ target, headers });
        // What a process prints takes another way than the response.
        await pause(50);
        const printed = errors.mock.calls.map((given) => format(...given)).join("\n");
        expect(printed + world().log().slice(before)).not.toMatch(/^ +at /m);
      },
    );

    test("leaves its page and its status to an error of the application [AD-031]", async () => {
      const { status, text } = await ada.request("/api/fail");
      expect([status, text]).toEqual([500, expect.not.stringContaining("not_authenticated")]);
      expect(text).not.toContain("latchkey");
    });
  });
}
