import { expect, test } from "vitest";

import { createBrowser } from "../../../packages/latchkey/test/browser.ts";

/** What holds for an application whose base URL has the path `/shop`. */
export function basePathRows(baseURLOf: () => string): void {
  test("a person signs in, and returns to the page that they requested [AD-008]", async () => {
    const baseURL = baseURLOf();
    const browser = createBrowser(baseURL);
    const page = await browser.signIn(`${baseURL}/private?tab=2`);
    expect([page.url.href, page.status]).toEqual([`${baseURL}/private?tab=2`, 200]);
    expect(page.text).toContain("Private page of Ada Okafor");
    expect((await browser.request(`${baseURL}/api/me`)).status).toBe(200);
    expect((await browser.request(`${baseURL}/api/auth/me`)).status).toBe(200);
  });

  test("what the provider posts reaches its address, a final slash included [AD-002, AD-003, AD-008]", async () => {
    const baseURL = baseURLOf();
    for (const address of ["backchannel-logout", "backchannel-logout/"]) {
      const init = { method: "POST", body: new URLSearchParams({ logout_token: "none" }) };
      const sent = await createBrowser(baseURL).request(`${baseURL}/api/auth/${address}`, init);
      const isLed = sent.status === 308;
      const response = isLed ? await createBrowser(baseURL).request(sent.location, init) : sent;
      expect([address, response.status, response.text]).toEqual([
        address,
        404,
        "Back-Channel Logout is not enabled.",
      ]);
    }
  });

  test("its public paths are those below it, and everything else needs a sign-in [AD-008]", async () => {
    const baseURL = baseURLOf();
    const stranger = createBrowser(baseURL);
    const home = await stranger.request(`${baseURL}/`);
    expect([home.status, home.text.includes("Hello stranger")]).toEqual([200, true]);
    expect((await stranger.request(`${baseURL}/api/me`)).status).toBe(401);
    const page = await stranger.request(`${baseURL}/private`);
    expect(page.location).toBe(`${baseURL}/api/auth/login?returnTo=%2Fshop%2Fprivate`);
  });
}
