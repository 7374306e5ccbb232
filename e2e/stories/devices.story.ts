import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Page } from "@playwright/test";
import { test as base, enter, expect, startTestApp } from "../test-app.ts";
import type { TestApp } from "../test-app.ts";

/** An application where sign-ins live in the store, so that they can be listed. */
const test = base.extend<object, { testApp: TestApp }>({
  testApp: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the names from the pattern
    async ({}, use) => {
      const testApp = await startTestApp({ LATCHKEY_SESSION_STATEFUL: "true" });
      await use(testApp);
      await testApp.close();
    },
    { scope: "worker" },
  ],
});

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0";

type ContextOptions = Parameters<Browser["newContext"]>[0];

/** Another device of the same person, on her account page. */
async function device(
  browser: Browser,
  testApp: TestApp,
  person: string,
  options: ContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ baseURL: testApp.url, ...options });
  await enter(context, testApp, person);
  const page = await context.newPage();
  await page.goto("/account");
  return page;
}

const signOutFirefox = /^Sign out ?, Firefox on Windows/;

test("a person finds a device that she lost and signs it out; its open tab says so", async ({
  browser,
  testApp,
}) => {
  const lost = await device(browser, testApp, "Ada Okafor", { userAgent: firefox });
  const here = await device(browser, testApp, "Ada Okafor");
  await here.goto("/devices");
  const rows = here.getByRole("main").getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("This device");
  await expect(rows.last()).toContainText("Firefox on Windows");

  await here.getByRole("button", { name: signOutFirefox }).press("Enter");
  const said = here.locator("#done");
  await expect(said).toContainText("Firefox on Windows is signed out.");
  await expect(said).toBeFocused();
  await expect(here.getByText("You're only signed in here.")).toBeVisible();
  await here.reload();
  await expect(said).toHaveCount(0);

  await lost.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(lost.getByText("You were signed out on another device")).toBeVisible();
  await lost.goto("/");
  await expect(lost.getByRole("heading", { level: 1 })).toHaveText("You've been signed out");
});

test("signing out everywhere asks first, and works without scripts at 320 pixels", async ({
  browser,
  testApp,
}) => {
  const other = await device(browser, testApp, "Ben Castellan", { userAgent: firefox });
  const still = { javaScriptEnabled: false, viewport: { width: 320, height: 640 } };
  const here = await device(browser, testApp, "Ben Castellan", still);
  await here.goto("/devices");
  await here.getByRole("link", { name: "Sign out on all other devices" }).click();
  await expect(here.getByText("You'll be signed out on 1 other device.")).toBeVisible();
  await here.getByRole("button", { name: "Sign out on all other devices" }).click();
  await expect(here.locator("#done")).toContainText("You're signed out on all other devices.");
  await other.goto("/");
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("You've been signed out");

  await here.goto("/account");
  await here.getByRole("link", { name: "Sign out on all devices" }).click();
  await here.getByRole("button", { name: "Sign out on all devices" }).click();
  await expect(here.getByRole("heading", { level: 1 })).toHaveText("You're signed out");
  await here.goto("/");
  await expect(here.getByRole("link", { name: "Sign in", exact: true })).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the pages hinder nobody and fit from 320 to 1280 pixels, ${colorScheme}`, async ({
    browser,
    testApp,
  }) => {
    const page = await device(browser, testApp, "Ada Okafor", { colorScheme, bypassCSP: true });
    for (const address of ["/devices", "/devices/all"]) {
      await page.goto(address);
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    }
  });
}
