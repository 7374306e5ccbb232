import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";

import { choosePerson, expectText, sharedChromium, untilHydrated } from "./browser-window.ts";
import { actionsOf } from "./expectations.ts";
import { host, sharedWorld } from "./world.ts";

describe(`in a browser on ${host.title}`, () => {
  const world = sharedWorld();
  const newWindow = sharedChromium();

  async function signedInWindow(path = "/") {
    const window = await newWindow();
    await window.page.goto(`${world().baseURL}/api/auth/login?returnTo=${path}`);
    await choosePerson(window.page);
    await untilHydrated(window.page);
    return window;
  }

  test("links between pages load no document, and read the session", async () => {
    const { page, complaints } = await signedInWindow();
    await expectText(page, "Hello Ada Okafor");
    await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }));
    await page.getByRole("link", { name: "Private page" }).click();
    await expectText(page, "Private page of Ada Okafor");
    await page.getByRole("link", { name: "Home" }).click();
    await expectText(page, "Hello Ada Okafor");
    expect(await page.evaluate(() => "isSameDocument" in globalThis)).toBe(host.hasClientRouter);
    expect(complaints).toEqual([]);
  });

  test("a link pressed after the session has ended leads to login, and back to the page [AD-013]", async () => {
    const { page, complaints } = await signedInWindow();
    await world().provider.endSessions("person-ada");
    await page.getByRole("link", { name: "Private page" }).click();
    await page.waitForURL((url) => url.origin === world().provider.issuer);
    await choosePerson(page);
    await expectText(page, "Private page of Ada Okafor");
    expect(page.url()).toBe(`${world().baseURL}/private?tab=2`);
    expect(complaints).toEqual([]);
  });

  test("a prefetched page starts no login and sets no cookie [AD-014]", async () => {
    const { page } = await newWindow();
    await page.goto(`${world().baseURL}/`);
    await untilHydrated(page);
    await page.getByRole("link", { name: "Private page" }).hover();
    await page.getByRole("link", { name: "Prefetched page" }).hover();
    await pause(500);
    expect(await page.context().cookies()).toEqual([]);
    // And the user does not get the prefetched page.
    await page.getByRole("link", { name: "Prefetched page" }).click();
    await page.waitForURL((url) => url.origin === world().provider.issuer);
  });

  test("an action is done for a signed-in user, and after the session has ended leads to login undone [AD-015]", async () => {
    const { page } = await signedInWindow("/act");
    await page.getByRole("button", { name: "Act" }).click();
    await expectText(page, "Done by Ada Okafor");
    expect(await actionsOf(world())).toBe(1);
    await world().provider.endSessions("person-ada");
    await page.getByRole("button", { name: "Act" }).click();
    await page.waitForURL((url) => url.origin === world().provider.issuer);
    expect(await actionsOf(world())).toBe(1);
    await choosePerson(page);
    await page.getByRole("button", { name: "Act" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/act");
  });

  test("who is signed in stands in the document, and does not change when the client takes over", async () => {
    const browser = await world().signedIn();
    const { text } = await browser.request("/");
    expect([text.includes("You are signed in"), text.includes("/api/auth/login")]).toEqual([
      true,
      false,
    ]);
    const { page, complaints } = await signedInWindow();
    await expectText(page, "You are signed in");
    expect(complaints).toEqual([]);
  });
});
