import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Browser } from "@playwright/test";

/** What messengers and social networks show beside a link, in pixels. */
const size = { width: 1200, height: 630 };

const style = `
  body { margin: 0; height: 630px; overflow: hidden; display: grid; grid-template: 630px / 460px 1fr;
    gap: 56px; padding-left: 72px; box-sizing: border-box; align-items: center;
    background: #f6f7f9; color: #17181c; font-family: system-ui, sans-serif; }
  h1 { margin: 0 0 24px; font-size: 76px; color: #3d50f5; }
  p { margin: 0; font-size: 36px; line-height: 1.35; }
  img { width: 900px; margin-top: 72px; align-self: start; border-radius: 16px;
    box-shadow: 0 12px 60px #17181c33; }`;

/**
 * Returns the page that is the picture of links to the site.
 *
 * @param account - address of the picture of the account page
 */
export function sharePage(account: string): string {
  return `<!doctype html><style>${style}</style>
    <div><h1>Latchkey</h1><p>Sign-in for web apps with any OpenID Connect provider</p></div>
    <img alt="" src="${account}">`;
}

/**
 * Makes the picture of links to the site, from the picture of the account page.
 *
 * @param folder - the pictures of the docs
 * @returns the file
 */
export async function takeSharePicture(browser: Browser, folder: string): Promise<string> {
  const account = await readFile(path.join(folder, "account-light.png"), "base64");
  const file = path.join(folder, "share.png");
  const page = await browser.newPage({ viewport: size, colorScheme: "light" });
  await page.setContent(sharePage(`data:image/png;base64,${account}`));
  await page.locator("img").evaluate((image: HTMLImageElement) => image.decode());
  await page.screenshot({ path: file });
  await page.close();
  return file;
}
