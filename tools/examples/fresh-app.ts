/**
 * Apps as the creators of the frameworks make them today, set up by `latchkey init`. Creators that
 * download from elsewhere than npm are not among them.
 */
import path from "node:path";
import { chromium } from "@playwright/test";

import { findBrowser } from "../browser/browser.ts";
import { npm, run } from "./npm.ts";

const creators: Readonly<Record<string, string>> = {
  next: "create-next-app@latest app --yes --skip-install --disable-git",
  sveltekit: "sv@latest create app --template minimal --types ts --no-add-ons --no-install",
  "tanstack-start": "@tanstack/cli@latest create app --no-install --no-git --yes",
  vite: "create-vite@latest app --template react-ts --no-interactive",
};

/** A React app needs a server for sign-in. */
const servers: Readonly<Record<string, readonly string[]>> = { vite: ["express"] };

export const freshApps: readonly string[] = Object.keys(creators);

/**
 * Creates an app, installs the packed packages, and runs `latchkey init`.
 *
 * @returns the app, and the page that `init` says to open
 */
export function createFreshApp(
  name: string,
  parent: string,
  tarballs: ReadonlyMap<string, string>,
): { readonly place: string; readonly page: string } {
  const creator = creators[name];
  if (creator === undefined) throw new Error(`There is none of: ${freshApps.join(", ")}.`);
  run(parent, "npx", "--yes", ...creator.split(" "));
  const place = path.join(parent, "app");
  npm(place, "install", ...(servers[name] ?? []), tarballs.get("latchkey") ?? "");
  npm(place, "install", "--save-dev", tarballs.get("@latchkey/provider") ?? "");
  const words = run(place, "npx", "latchkey", "init", "--yes");
  const page = /open (\S+) and sign in as one of the sample users/.exec(words)?.[1];
  if (page === undefined) throw new Error(`init names no page to open:\n${words}`);
  return { place, page };
}

/** Opens the page, and does what it says, as one who knows nothing else. */
export async function signInByHand(page: string): Promise<void> {
  const found = await findBrowser();
  const browser = await chromium.launch({ ...found, args: ["--no-sandbox"] });
  try {
    const tab = await browser.newPage();
    await tab.goto(page);
    const { origin } = new URL(page);
    if (tab.url().startsWith(origin)) await tab.getByRole("link", { name: "Sign in" }).click();
    await tab.waitForURL((url) => url.origin !== origin);
    await tab.getByRole("button").first().click();
    await tab.waitForURL((url) => url.origin === origin);
    const status = await tab.evaluate(async () => (await fetch("/api/auth/me")).status);
    if (status !== 200) throw new Error(`${tab.url()} has no session: ${status}`);
  } finally {
    await browser.close();
  }
}
