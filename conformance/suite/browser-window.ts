import { chromium, type Browser, type Page } from "@playwright/test";
import { afterAll, beforeAll, onTestFinished } from "vitest";

import { findBrowser } from "../../tools/browser/browser.ts";

/** A window of Chromium, and what it complained of. */
export interface Window {
  readonly page: Page;
  /** Errors of the console and of scripts. */
  readonly complaints: readonly string[];
}

/** Of each step: it ends only what hangs. */
const stepMs = 60_000;

/** Chromium for the tests of a `describe`; each window has cookies of its own. */
export function sharedChromium(): () => Promise<Window> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const found = await findBrowser();
    if (found === undefined) throw new Error("There is no Chromium: npm test gets one.");
    const { executablePath, env } = found;
    const launched = { executablePath, env: { ...process.env, ...env }, timeout: stepMs };
    browser = await chromium.launch(launched);
  });
  afterAll(() => browser?.close());
  return async () => {
    const context = await browser!.newContext();
    onTestFinished(() => context.close());
    context.setDefaultTimeout(stepMs);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      const isAboutIcon = message.location().url.endsWith("/favicon.ico");
      if (message.type() === "error" && !isAboutIcon) complaints.push(message.text());
    });
    return { page, complaints };
  };
}

export async function choosePerson(page: Page, name = "Ada Okafor"): Promise<void> {
  await page.getByRole("button", { name }).click();
}

export async function expectText(page: Page, text: string): Promise<void> {
  await page.getByText(text).first().waitFor({ timeout: stepMs });
}

/** The client has taken the page over: what is pressed from now on is not lost. */
export async function untilHydrated(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
}
