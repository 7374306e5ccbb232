import { type Browser as Chromium, chromium, type Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { findBrowser } from "../../e2e/browser.ts";
import { sharedWorld } from "../suite/world.ts";

describe("Next's own navigation in Chromium", () => {
  const shared = sharedWorld();
  let chrome: Chromium;
  beforeAll(async () => {
    const found = await findBrowser();
    chrome = await chromium.launch({ ...found, args: ["--no-sandbox"] });
  });
  afterAll(() => chrome?.close());

  /** A page that keeps what its console said, and which addresses were asked for. */
  async function openPage(path: string) {
    const page = await chrome.newPage({ baseURL: shared().baseURL });
    const console: string[] = [];
    const asked: string[] = [];
    page.on("console", (message) => console.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => console.push(String(error)));
    page.on("request", (request) => asked.push(`${request.method()} ${request.url()}`));
    await page.goto(path);
    return { page, console, asked };
  }

  async function signIn(page: Page, person = "Ada Okafor"): Promise<void> {
    await page.goto("/private");
    await page.getByRole("button", { name: person }).click();
    await page.waitForURL("**/private");
  }

  async function endSession(page: Page): Promise<void> {
    await page.context().clearCookies({ name: "appSession" });
  }

  test("a link to a protected page leads a stranger to login and back, and the console stays empty [AD-013]", async () => {
    const { page, console } = await openPage("/");
    await page.getByRole("link", { name: "Private page" }).click();
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await page.waitForURL("**/private?tab=2");
    await expect(page.textContent("h1")).resolves.toBe("Private page of Ada Okafor");
    expect(console).toEqual([]);
  });

  test("a link after the session has ended leads to login and back [AD-013]", async () => {
    const { page, console } = await openPage("/");
    await signIn(page);
    await page.goto("/");
    await endSession(page);
    await page.getByRole("link", { name: "Private page" }).click();
    await page.waitForURL("**/private?tab=2");
    await expect(page.textContent("h1")).resolves.toBe("Private page of Ada Okafor");
    expect(console).toEqual([]);
  });

  test("a link to a page whose component requires a session leads to login and back [AD-013]", async () => {
    const { page, console } = await openPage("/public/links");
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await page.waitForURL("**/public/members");
    await expect(page.textContent("h1")).resolves.toBe("Member Ada Okafor");
    expect(console).toEqual([]);
  });

  test("links to protected pages and to login are fetched ahead without starting a login [AD-014]", async () => {
    const { page, console, asked } = await openPage("/public/links");
    await page.waitForLoadState("networkidle");
    expect(asked.filter((each) => each.includes("/private"))).not.toEqual([]);
    expect(asked.filter((each) => each.includes("/authorize"))).toEqual([]);
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual([]);
    expect(console).toEqual([]);
  });

  test("an action on a page whose session has ended is not run, and leads to login [AD-015]", async () => {
    const { page, console } = await openPage("/");
    await signIn(page);
    await page.goto("/act");
    await endSession(page);
    const back = page.waitForResponse((response) => response.url().includes("/callback?"));
    await page.getByRole("button", { name: "Act" }).click();
    await back;
    await page.waitForLoadState();
    expect(shared().upstream.paths).not.toContain("/acted");
    expect(console).toEqual([]);
    await page.getByRole("button", { name: "Act" }).click();
    await page.getByText("Done by Ada Okafor").waitFor();
    expect(new URL(page.url()).pathname).toBe("/act");
  });

  test("an action of a public page that requires a session leads to login [AD-015]", async () => {
    const { page, console } = await openPage("/public/settings");
    await page.getByRole("button", { name: "Set theme" }).click();
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await page.waitForURL("**/public/settings");
    expect(console).toEqual([]);
  });

  test("an action that changes the session is seen by the page in its own response, and by later pages [AD-042]", async () => {
    const { page, console } = await openPage("/");
    await signIn(page);
    await page.goto("/public/settings");
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: "Set theme" }).click();
    await page.getByText('{"theme":"dark"}').waitFor();
    const cookies = (await (await answered).headersArray()).filter(
      ({ name, value }) => name.toLowerCase() === "set-cookie" && value.startsWith("appSession="),
    );
    expect(cookies).toHaveLength(1);
    await page.reload();
    await page.getByText('{"theme":"dark"}').waitFor();
    expect(console).toEqual([]);
  });

  test("an action that only reads the session leaves the router cache as it was [AD-042]", async () => {
    const { page } = await openPage("/");
    await signIn(page);
    await page.goto("/public/settings");
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: "Read theme" }).click();
    const headers = await (await answered).allHeaders();
    expect(headers["x-action-revalidated"]).toBeUndefined();
    expect(headers["set-cookie"]).toBeUndefined();
  });
});
