import { describe, expect, test } from "vitest";

import { navigation, script } from "../expectations.ts";
import { type DrivenHost, sharedWorld } from "./world.ts";

/** A handler that begins a sign-in. */
export function loginRows(host: DrivenHost): void {
  describe(`login() in a handler on ${host.title}`, () => {
    const world = sharedWorld(host);
    // It is a page there, and else a response of its own.
    const isPage = host.pagesHaveHeadersOfTheirOwn === true;
    const found = isPage ? 307 : 302;

    test("sends the browser to the provider with its parameters, and then to its page", async () => {
      const browser = world().browser();
      const start = await browser.request("/sign-up?ignored=1", { headers: navigation });
      expect([start.status, isPage ? "" : start.text]).toEqual([found, ""]);
      expect(start.headers.get("cache-control")).toContain("no-store");
      const login = await browser.request(start.location);
      const asked = new URL(login.location).searchParams;
      expect([asked.get("screen_hint"), asked.get("max_age")]).toEqual(["signup", "600"]);
      const page = await browser.signIn(start.location);
      expect([page.status, page.text]).toEqual([
        200,
        expect.stringContaining("Private page of Ada Okafor"),
      ]);
    });

    test("begins a new sign-in of a signed-in user", async () => {
      const browser = await world().signedIn();
      const start = await browser.request("/sign-up", { headers: navigation });
      expect([start.status, new URL(start.location).pathname]).toEqual([found, "/api/auth/login"]);
    });

    if (isPage) return;

    test("answers a script 401 as JSON", async () => {
      const { status, text } = await world()
        .browser()
        .request("/sign-up", {
          headers: { ...script, "user-agent": "Test/1" },
        });
      expect([status, JSON.parse(text)]).toMatchObject([401, { error: "not_authenticated" }]);
    });
  });
}
