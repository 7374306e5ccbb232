import { type Browser as Chromium, chromium } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { findBrowser } from "../../tools/browser/browser.ts";
import { createBrowser } from "../../packages/latchkey/test/browser/browser.ts";
import { buildAndStart, type NextApp } from "./next-app.ts";

describe.each(["", "/shop"])("an app of pages/ in two languages below the path %j", (basePath) => {
  let app: NextApp;
  let chrome: Chromium;

  beforeAll(async () => {
    app = await buildAndStart("i18n", {
      basePath,
      publicPaths: "/ /de /member /de/member",
      onlyForAda: "/private",
    });
    chrome = await chromium.launch({ ...(await findBrowser()), args: ["--no-sandbox"] });
  }, 300_000);

  afterAll(async () => {
    await chrome?.close();
    await app?.close();
  });

  test.each([
    ["/private?tab=2", "en"],
    ["/de/private?tab=2", "de"],
  ])("a person who requests %s returns to it after sign-in [AD-008]", async (path, locale) => {
    const page = await createBrowser(app.baseURL).signIn(app.baseURL + path);
    expect([page.url.href, page.status]).toEqual([app.baseURL + path, 200]);
    expect(page.text).toContain(`Private page of Ada Okafor in ${locale}`);
  });

  test.each(["/member?tab=2", "/de/member?tab=2"])(
    "a public page %s that requires a sign-in itself is returned to in its language [AD-008, AD-030]",
    async (path) => {
      const page = await createBrowser(app.baseURL).signIn(app.baseURL + path);
      expect([page.url.href, page.status]).toEqual([app.baseURL + path, 200]);
      expect(page.text).toContain("Member Ada Okafor");
    },
  );

  test.each([
    "/private",
    "/en/private",
    "/de/private",
    "/DE/private",
    "/de//private",
    "/_next/data/x/private.json",
    "/_next/data/x/en/private.json",
    "/_next/data/x/de/private.json",
    "/api/me",
    "/de/api/me",
  ])("%s shows nothing to a stranger [AD-010, AD-011]", async (target) => {
    const answered = await createBrowser(app.baseURL).open(app.baseURL + target);
    expect(answered.text).not.toMatch(/Private page|"sub"/);
    expect(answered.status).toBeLessThan(500);
  });

  test.each(["/private", "/de/private", "/DE/private"])(
    "%s is closed by the rule of the page, whatever its language [AD-030]",
    async (target) => {
      const ben = createBrowser(app.baseURL);
      await ben.signIn(`${app.baseURL}/api/auth/login?returnTo=${basePath}/de`, "person-ben");
      expect((await ben.request(app.baseURL + target)).status).toBe(403);
    },
  );

  test("a link to a page in another language leads to login, and back to that language [AD-008, AD-013]", async () => {
    const page = await chrome.newPage();
    await page.goto(`${app.baseURL}/`);
    await page.getByRole("link", { name: "Private page in German" }).click();
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await page.getByRole("heading", { name: "Private page of Ada Okafor in de" }).waitFor();
    expect(page.url()).toBe(`${app.baseURL}/de/private`);
  });
});
