import { type Browser as Chromium, chromium } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { findBrowser } from "../../tools/browser/browser.ts";
import { type Browser, createBrowser } from "../../packages/latchkey/test/browser/browser.ts";
import { buildAndStart, type NextApp } from "./next-app.ts";

describe("a standalone server below a path, with trailing slashes, cache components and addresses as they came", () => {
  let app: NextApp;
  let baseURL = "";
  let chrome: Chromium;
  let ada: Browser;

  beforeAll(async () => {
    app = await buildAndStart("variant", {
      basePath: "/shop",
      publicPaths: "/",
      onlyForAda: "/photo",
    });
    ({ baseURL } = app);
    chrome = await chromium.launch({ ...(await findBrowser()), args: ["--no-sandbox"] });
    ada = createBrowser(baseURL);
    await ada.signIn(`${baseURL}/private/?tab=2`);
  }, 300_000);

  afterAll(async () => {
    await chrome?.close();
    await app?.close();
  });

  test("a person signs in and comes back to the requested page [AD-008]", async () => {
    const page = await createBrowser(baseURL).signIn(`${baseURL}/private/?tab=2`);
    expect([page.url.href, page.status]).toEqual([`${baseURL}/private/?tab=2`, 200]);
    expect(page.text).toContain("Private page of Ada Okafor");
    expect((await ada.request(`${baseURL}/api/auth/me/`)).status).toBe(200);
  });

  test("the shell of a page is the same for everybody, and no cache keeps a person's page [AD-044]", async () => {
    const stranger = await createBrowser(baseURL).request(`${baseURL}/`);
    const page = await ada.request(`${baseURL}/`);
    expect(page.text).toContain("Hello Ada Okafor");
    expect(page.headers.get("cache-control")).toContain("no-store");
    expect(stranger.text).toContain("Hello stranger");
    expect(stranger.text).not.toContain("Ada");
  });

  test("what is cached cannot be made of a session [AD-044]", async () => {
    const page = await ada.request(`${baseURL}/cached/`);
    expect(page.text).not.toContain("Cached for");
  });

  test.each([
    "/private",
    "/private/",
    "/private/index.rsc",
    "/private.rsc",
    "/private.segments/_tree.segment.rsc",
    "/_next/data/x/private.json",
    "/_next/data/x/private/.json",
    "/_next/image?url=/shop/private/&w=64&q=75",
    "//private",
    "/%70rivate/",
    "/x/../private/",
    "/PRIVATE/",
    "/photo/",
    "/(.)photo/",
    "/@modal/(.)photo/",
  ])("%s shows nothing to a stranger [AD-010, AD-011]", async (target) => {
    const answered = await createBrowser(baseURL).open(baseURL + target);
    expect(answered.text).not.toMatch(/Private page|hoto of/);
    expect(answered.status).toBeLessThan(500);
  });

  test("a link to a protected page leads to login and back, and the console stays empty [AD-013]", async () => {
    const page = await chrome.newPage();
    const console: string[] = [];
    page.on("console", (message) => console.push(message.text()));
    await page.goto(`${baseURL}/`);
    await page.getByRole("link", { name: "Private page" }).click();
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await page.getByText("Private page of Ada Okafor").waitFor();
    expect(console.filter((line) => !line.includes("404"))).toEqual([]);
  });

  test("a page whose rule does not hold says so, although its response has begun [AD-030]", async () => {
    const page = await chrome.newPage();
    const before = app.output().length;
    await page.goto(`${baseURL}/editors/`);
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await page.getByText("It is for users who have role: editor.").waitFor();
    expect(await page.textContent("body")).not.toContain("Editor Ada");
    expect(app.output().slice(before)).not.toMatch(/Error|Forbidden|^ +at /m);
  });

  test.each(["/photo/", "/(.)photo/"])(
    "%s is closed by the rule of the page [AD-030]",
    async (target) => {
      const ben = createBrowser(baseURL);
      await ben.signIn(`${baseURL}/api/auth/login?returnTo=/shop/`, "person-ben");
      expect((await ben.request(baseURL + target)).status).toBe(403);
    },
  );

  test("an intercepted route shows its dialog to a signed-in user, and leads others to login and the whole page [AD-013]", async () => {
    const page = await chrome.newPage();
    await page.goto(`${baseURL}/`);
    await page.getByRole("link", { name: "Photo" }).click();
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await page.getByText("Whole photo of Ada Okafor").waitFor();
    await page.goto(`${baseURL}/`);
    await page.getByRole("heading", { name: "Hello Ada Okafor" }).waitFor();
    await page.getByRole("link", { name: "Photo" }).click();
    await page.getByText("Photo of Ada Okafor in a dialog").waitFor();
    // What Next announces to those who hear pages has the same text.
    expect(await page.getByRole("heading", { name: "Hello Ada Okafor" }).isVisible()).toBe(true);
  });
});
