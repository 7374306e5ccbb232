import { findAxeFaults } from "../../axe.ts";
import { expect, signInOnDevice, test } from "../../test-app.ts";
import { startTimedTestApp } from "../../timed-test-app.ts";
import type { TimedTestApp } from "../../timed-test-app.ts";

// Its own clock, and few streams.
let testApp: TimedTestApp;
test.beforeAll(async () => {
  testApp = await startTimedTestApp({ LATCHKEY_STREAMS: "10" });
});
test.afterAll(() => testApp.close());

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0";

const signOutFirefox = /^Sign out ?, Firefox on Windows PC/;

test("a person signs a lost device out, and its open tab shows it", async ({ browser }) => {
  const lost = await signInOnDevice(browser, testApp, "Ada Okafor", { userAgent: firefox });
  await lost.goto("/account");
  const here = await signInOnDevice(browser, testApp, "Ada Okafor");
  await here.goto("/devices");
  const rows = here.locator("li.device");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("This device");
  await expect(rows.last()).toContainText("Windows");

  await here.getByRole("button", { name: signOutFirefox }).press("Enter");
  const said = here.locator("#done");
  await expect(said).toContainText("Firefox on Windows PC is signed out.");
  await expect(said).toBeFocused();
  await expect(rows).toHaveCount(1);
  await expect(here.getByRole("link", { name: "Sign out on all other devices" })).toBeHidden();
  await here.reload();
  await expect(said).toHaveCount(0);
  await expect(here.getByText("You're only signed in here.")).toBeVisible();
  const lately = here.getByRole("region", { name: "Recent activity" }).getByRole("listitem");
  await expect(lately).toHaveCount(3);
  await expect(lately.first()).toContainText("Firefox on Windows PC, signed out by you here");
  await expect(lately.first()).not.toContainText("Reference");
  await expect(lately.nth(1)).toContainText("Signed in · Chrome on");
  await expect(lately.nth(1)).toContainText("This device");

  await expect(lost.getByText("You were signed out from another device")).toBeVisible();
  await lost.goto("/");
  await expect(lost.getByRole("heading", { level: 1 })).toHaveText("You've been signed out");
});

test("a person renames a device by keyboard, and every page shows the name", async ({
  browser,
}) => {
  const lost = await signInOnDevice(browser, testApp, "Ada Okafor", { userAgent: firefox });
  const here = await signInOnDevice(browser, testApp, "Ada Okafor");
  await here.goto("/devices");
  await here.getByRole("button", { name: /^Rename ?, Firefox on Windows PC/ }).press("Enter");
  const field = here.getByRole("textbox", { name: "Name of this device" });
  await expect(field).toBeFocused();
  await field.press("Escape");
  await expect(field).toBeHidden();
  await expect(
    here.getByRole("button", { name: /^Rename ?, Firefox on Windows PC/ }),
  ).toBeFocused();
  await here.getByRole("button", { name: /^Rename ?, Firefox on Windows PC/ }).press("Enter");
  await field.fill("  <b>Küche</b> 👩‍👩‍👧‍👦  ");
  await field.press("Enter");
  await expect(here.locator("#done")).toContainText("Saved: \u2068<b>Küche</b> 👩‍👩‍👧‍👦\u2069.");
  await expect(here.getByRole("main")).toContainText("<b>Küche</b> 👩‍👩‍👧‍👦");
  await lost.goto("/devices");
  await expect(lost.getByRole("main")).toContainText("<b>Küche</b> 👩‍👩‍👧‍👦");
  await lost.goto("/account");
  await lost.getByRole("button", { name: "Sign out" }).first().click();
});

test("a person signs out on all other devices without scripts at 320 pixels, and confirms it for all devices", async ({
  browser,
}) => {
  const other = await signInOnDevice(browser, testApp, "Ben Castellan", { userAgent: firefox });
  await signInOnDevice(browser, testApp, "Ben Castellan", { userAgent: firefox });
  const still = { javaScriptEnabled: false, viewport: { width: 320, height: 640 } };
  const here = await signInOnDevice(browser, testApp, "Ben Castellan", still);
  await here.goto("/devices");
  await here.getByRole("link", { name: "Sign out on all other devices" }).click();
  await expect(here.getByText("You'll be signed out on 2 other devices")).toBeVisible();
  await here.getByRole("button", { name: "Sign out on all other devices" }).click();
  const said = here.locator("#done");
  await expect(said).toContainText("You're signed out on 2 other devices.");
  await expect(here.getByText("You're only signed in here.")).toBeVisible();
  await other.goto("/");
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("You've been signed out");

  await here.goto("/account");
  await here.getByRole("link", { name: "Sign out on all devices" }).click();
  await here.getByRole("button", { name: "Sign out on all devices" }).click();
  await expect(here.getByRole("heading", { level: 1 })).toHaveText("You're signed out");
  await expect(here.getByRole("main")).toContainText("on all your devices.");
  await expect(here.getByText("Other tabs")).toBeHidden();
  await here.goto("/");
  await expect(here.getByRole("link", { name: "Sign in", exact: true })).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the pages are accessible and fit from 320 to 1280 pixels, ${colorScheme}`, async ({
    browser,
  }) => {
    const page = await signInOnDevice(browser, testApp, "Ada Okafor", {
      colorScheme,
      bypassCSP: true,
    });
    for (const address of ["/devices", "/devices/all"]) {
      await page.goto(address);
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
      expect(await findAxeFaults(page)).toEqual([]);
    }
  });
}
