import { expect, test } from "../../test-app.ts";
import type { Page } from "@playwright/test";
import { longTests } from "../../../packages/latchkey/test/long-tests.ts";
import { ownPolicy, type PagesApp, pagesHosts, startPagesApp } from "../../pages-app.ts";

const logo =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='32' height='32'%3E%3Crect width='32' height='32' fill='purple'/%3E%3C/svg%3E";
const look = {
  name: "Harbour",
  logo,
  accent: "#7a1f5c",
  support: { name: "the help desk", url: "https://help.example.com/" },
  links: [{ href: "/", label: "Reports" }],
};

async function enter(page: Page, person = "Ada Okafor"): Promise<void> {
  await page.getByRole("button", { name: person }).click();
}

/** Returns what the browser will report as refused by a policy. */
function refusedByPolicy(page: Page): readonly string[] {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) refused.push(message.text());
  });
  return refused;
}

// Every host has the same pages: test/hosts/pages.test.ts reads those of each.
const hosts = longTests ? pagesHosts : (["express"] as const);

for (const host of hosts) {
  test.describe(`an app on ${host} with the pages`, () => {
    let app: PagesApp;
    test.beforeAll(async () => {
      app = await startPagesApp(host, look);
    });
    test.afterAll(() => app.close());

    test("shows account and devices with its own name, logo, color and links", async ({ page }) => {
      await page.goto(`${app.url}/_auth/account`);
      await enter(page);
      await expect(page).toHaveTitle("Your account · Harbour");
      await expect(page.getByRole("banner").locator("img.logo")).toHaveAttribute("src", logo);
      await expect(page.getByRole("link", { name: "Reports" })).toHaveAttribute("href", "/");
      const accent = () =>
        page.evaluate(() => getComputedStyle(document.querySelector("main a") as Element).color);
      expect(await accent()).toBe("rgb(122, 31, 92)");
      await page.getByRole("link", { name: "Signed-in devices" }).click();
      await expect(page).toHaveURL(`${app.url}/_auth/devices`);
      await expect(page.locator(".badge", { hasText: "This device" }).first()).toBeVisible();
      await page.emulateMedia({ colorScheme: "dark" });
      await expect(page.locator("body")).toHaveCSS("background-color", "rgb(14, 17, 20)");
    });

    test("ends another device, and that browser is signed out", async ({ page, browser }) => {
      const other = await browser.newContext({ userAgent: "Mozilla/5.0 (X11; Linux) Firefox/145" });
      const elsewhere = await other.newPage();
      await elsewhere.goto(`${app.url}/_auth/account`);
      await enter(elsewhere, "Ben Castellan");
      await page.goto(`${app.url}/_auth/devices`);
      await enter(page, "Ben Castellan");
      await page.getByRole("link", { name: /^Sign out on all other/ }).click();
      await page.getByRole("button", { name: /^Sign out on all other/ }).click();
      await expect(page).toHaveURL(/\/_auth\/devices#done$/);
      await expect(page.locator(".notice")).toContainText("signed out");
      const me = await other.request.get(`${app.url}/api/auth/me`);
      expect(me.status()).toBe(204);
      const notice = elsewhere.getByRole("dialog");
      await notice.getByRole("link", { name: "Sign in again", exact: true }).click();
      await expect(notice).toBeHidden();
      await expect(elsewhere).toHaveURL(`${app.url}/_auth/account`);
      await other.close();
    });

    test("shows a new sign-in on another device, and takes the answer", async ({
      page,
      browser,
    }) => {
      await page.goto(`${app.url}/_auth/account`);
      await enter(page, "Clara Nowak");
      const others = ["Chrome/143.0 Mobile", "Firefox/145.0"].map(async (userAgent) => {
        const context = await browser.newContext({
          userAgent: `Mozilla/5.0 (Android) ${userAgent}`,
        });
        const other = await context.newPage();
        await other.goto(`${app.url}/_auth/account`);
        await enter(other, "Clara Nowak");
        return context;
      });
      const contexts = await Promise.all(others);
      await page.reload();
      const question = page.getByRole("complementary", { name: /^New sign-in: / });
      await expect(question.getByRole("link", { name: "1 more new sign-in" })).toBeVisible();
      await question.getByRole("button", { name: "Yes" }).click();
      await expect(page).toHaveURL(`${app.url}/_auth/account`);
      await expect(question.getByRole("link")).toHaveCount(0);
      await question.getByRole("button", { name: "No, sign it out" }).click();
      await expect(page).toHaveURL(/\/_auth\/devices#done$/);
      await expect(page.locator(".notice")).toContainText("Someone may know your password.");
      const states = contexts.map(async ({ request }) =>
        (await request.get(`${app.url}/api/auth/me`)).status(),
      );
      expect(new Set(await Promise.all(states))).toEqual(new Set([200, 204]));
      await Promise.all(contexts.map((context) => context.close()));
    });

    test("renames this device", async ({ page }) => {
      await page.goto(`${app.url}/_auth/devices`);
      await enter(page);
      await page.getByText("Rename", { exact: false }).first().click();
      await page.getByRole("textbox").first().fill("Kitchen");
      await page.keyboard.press("Enter");
      await expect(page.locator(".notice")).toContainText("Kitchen");
    });

    test("signs out on a shared computer, on all devices, to its own page", async ({ page }) => {
      await page.goto(`${app.url}/api/auth/login?shared=1&returnTo=/_auth/account`);
      await enter(page);
      const when = "This sign-in ends when the browser closes or after 15 minutes without use.";
      await expect(page.getByText(when)).toBeVisible();
      const cookies = await page.context().cookies(app.url);
      expect(cookies.find(({ name }) => name === "appSession")?.expires).toBe(-1);
      await page.getByRole("link", { name: "Sign out on all devices" }).click();
      await page.getByRole("button", { name: "Sign out on all devices" }).click();
      await expect(page).toHaveTitle(/· Harbour$/);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("You're signed out");
      await expect(page.getByRole("listitem")).toContainText([
        /^This browserSigned out$/,
        /^At .*Signed out$/,
        /^Copies of this sign-inNo longer work$/,
      ]);
      await page.getByRole("link", { name: "Sign in just for this visit" }).click();
      await enter(page);
      await page.goto(`${app.url}/_auth/account`);
      await expect(page.getByText(when)).toBeVisible();
    });

    test("explains a problem with its name, its color and its help desk", async ({ page }) => {
      const response = await page.goto(`${app.url}/api/auth/nothing`);
      expect(response?.status()).toBe(404);
      await expect(page).toHaveTitle(/· Harbour$/);
      await expect(page.getByRole("link", { name: "the help desk" }).first()).toBeVisible();
    });

    test("speaks the language of the browser", async ({ browser }) => {
      const context = await browser.newContext({ locale: "de-AT" });
      const page = await context.newPage();
      await page.goto(`${app.url}/_auth/signed-out`);
      await expect(page.locator("html")).toHaveAttribute("lang", "de");
      await context.close();
    });

    test("shows problems and the page after sign-out by a policy of their own", async ({
      page,
    }) => {
      const refused = refusedByPolicy(page);
      for (const path of ["/api/auth/nothing", "/_auth/signed-out"]) {
        const response = await page.goto(app.url + path);
        expect(response?.headers()["content-security-policy"]).toMatch(/^default-src 'none'/);
        await expect(page.locator("body")).toHaveCSS("background-color", "rgb(251, 251, 250)");
      }
      const home = await page.goto(`${app.url}/`);
      expect(home?.headers()["content-security-policy"]).toBe(ownPolicy);
      expect(refused).toEqual([]);
    });

    test("runs no script that its policy does not name", async ({ page }) => {
      const refused = refusedByPolicy(page);
      await page.goto(`${app.url}/_auth/account`);
      await enter(page);
      await expect(page.locator("body[data-watched]")).toHaveCount(1);
      await page.locator("summary.lk-trigger").click();
      await expect(page.getByRole("link", { name: "Your account" }).first()).toBeVisible();
      expect(refused).toEqual([]);
    });
  });
}
