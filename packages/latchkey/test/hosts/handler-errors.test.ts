import { describe, expect, test } from "vitest";

import { worldOfTest } from "./world/host-world.ts";
import { hosts } from "./world/hosts.ts";

const html = { headers: { accept: "text/html" } };

describe.each(hosts)("an error that no handler catches on $name", (host) => {
  test("leads to our page with Retry-After and a way back if the token cannot be refreshed now", async () => {
    const world = await worldOfTest({ app: host.app });
    const browser = await world.signedIn();
    // The clock of the app is ahead of the provider's: the new ID token is refused for the moment.
    await world.pass(7200);
    const { status, headers, text } = await browser.request("/api/token?refresh=1", html);
    expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    const login = `${world.baseURL}/api/auth/login?returnTo=%2Fapi%2Ftoken%3Frefresh%3D1`;
    expect(text).toContain(`href="${login}"`);
  });

  test("leads to our page with Retry-After if the store is down", async () => {
    const world = await worldOfTest({ app: host.app });
    const browser = await world.signedIn();
    world.store.fail(true);
    const { status, headers, text } = await browser.request("/cacheable?read", html);
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
    expect(text).not.toContain("Sorry, that broke");
  });
});
