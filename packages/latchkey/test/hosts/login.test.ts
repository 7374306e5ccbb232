import { describe, expect, test } from "vitest";

import { navigation, script } from "../../../../conformance/suite/expectations.ts";
import { hosts } from "./world/hosts.ts";
import { worldOfTest } from "./world/host-world.ts";

describe.each(hosts)("login() in a handler on $name", ({ app }) => {
  test("sends the browser to the provider with its parameters, and then to its page", async () => {
    const world = await worldOfTest({ app });
    const browser = world.browser();
    const start = await browser.request("/sign-up?ignored=1", { headers: navigation });
    expect([start.status, start.text]).toEqual([302, ""]);
    expect(start.headers.get("cache-control")).toContain("no-store");
    const login = await browser.request(start.location);
    const asked = new URL(login.location).searchParams;
    expect([asked.get("screen_hint"), asked.get("max_age")]).toEqual(["signup", "600"]);
    const page = await browser.signIn(start.location);
    expect([page.status, page.text]).toEqual([200, "Private page of Ada Okafor"]);
  });

  test("begins a new sign-in of a signed-in user", async () => {
    const world = await worldOfTest({ app });
    const browser = await world.signedIn();
    const start = await browser.request("/sign-up", { headers: navigation });
    expect([start.status, new URL(start.location).pathname]).toEqual([302, "/api/auth/login"]);
  });

  test("answers a script 401 as JSON", async () => {
    const world = await worldOfTest({ app });
    const { status, text } = await world.browser().request("/sign-up", {
      headers: { ...script, "user-agent": "Test/1" },
    });
    expect([status, JSON.parse(text)]).toMatchObject([401, { error: "not_authenticated" }]);
  });
});
