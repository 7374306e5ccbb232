import { type Browser as Chromium, chromium, type Page } from "@playwright/test";
import { afterAll, beforeAll } from "vitest";

import { findBrowser } from "../../tools/browser/browser.ts";
import type { World } from "../suite/world.ts";

/** A page with all messages of its console, and all addresses of its requests. */
interface Watched {
  readonly page: Page;
  readonly console: readonly string[];
  readonly asked: readonly string[];
}

/** Chromium for the tests of a `describe`. */
export function sharedWindows(world: () => World): (path: string) => Promise<Watched> {
  let chrome: Chromium;
  beforeAll(async () => {
    chrome = await chromium.launch({ ...(await findBrowser()), args: ["--no-sandbox"] });
  });
  afterAll(() => chrome?.close());
  return async (path) => {
    const page = await chrome.newPage({ baseURL: world().baseURL });
    const console: string[] = [];
    const asked: string[] = [];
    page.on("console", (message) => console.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => console.push(String(error)));
    page.on("request", (request) => asked.push(`${request.method()} ${request.url()}`));
    await page.goto(path);
    return { page, console, asked };
  };
}

export async function signIn(page: Page): Promise<void> {
  await page.goto("/private");
  await page.getByRole("button", { name: "Ada Okafor" }).click();
  await page.waitForURL("**/private");
}

export async function endSession(page: Page): Promise<void> {
  await page.context().clearCookies({ name: "appSession" });
}
