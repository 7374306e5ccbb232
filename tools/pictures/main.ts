/**
 * `npm run pictures`: makes every picture of a screen in README, docs and site, light and dark, and
 * the one that messengers show beside a link.
 * Users, times and references are those of the gallery of the application, so a picture changes
 * with its screen alone.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, chromium } from "@playwright/test";

import { freePort } from "../../packages/latchkey/test/servers/free-port.ts";
import { findBrowser } from "../browser/browser.ts";
import { buildWhatChanged } from "../start/build.ts";
import { appProcess, createDevProcesses, providerProcess } from "../start/dev-processes.ts";
import { localSecrets, startSettings } from "../start/settings.ts";
import { takeSharePicture } from "./share-picture.ts";

const root = path.join(import.meta.dirname, "../..");
const folder = path.join(root, "docs/images");

/** In pixels; a picture of a whole page is as high as the page. */
const size = { width: 1120, height: 700 };

/** The state of the gallery in each picture, and whether it shows the whole page. */
const pictures = [
  { name: "home", state: "home-arrived", isWhole: false },
  { name: "account", state: "account-usual", isWhole: true },
  { name: "devices", state: "devices-activity", isWhole: true },
  { name: "signed-out", state: "signed-out-ended", isWhole: false },
  { name: "problem", state: "problem-provider-unreachable-start", isWhole: false },
] as const;

async function main(): Promise<void> {
  const found = await findBrowser();
  if (found === undefined) throw new Error("There is no Chromium on this machine.");
  const app = await startApp();
  // Small machines have little shared memory.
  const browser = await chromium.launch({
    executablePath: found.executablePath,
    env: { ...process.env, ...found.env },
    args: ["--disable-dev-shm-usage", "--disable-gpu", "--no-sandbox"],
  });
  try {
    for (const colorScheme of ["light", "dark"] as const)
      await takePictures(browser, app.url, colorScheme);
    console.log(path.relative(root, await takeSharePicture(browser, folder)));
  } finally {
    await browser.close();
    await app.stop();
  }
}

async function takePictures(
  browser: Browser,
  url: string,
  colorScheme: "light" | "dark",
): Promise<void> {
  const locale = { locale: "en-GB", timezoneId: "Europe/London" };
  const page = await browser.newPage({ viewport: size, colorScheme, ...locale });
  for (const { name, state, isWhole } of pictures) {
    const file = path.join(folder, `${name}-${colorScheme}.png`);
    await page.goto(`${url}/_auth/gallery/${state}`);
    await page.screenshot({ path: file, fullPage: isWhole, animations: "disabled" });
    console.log(path.relative(root, file));
  }
  await page.close();
}

/** The application as `npm start` runs it, with new data. */
async function startApp(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  buildWhatChanged(root);
  const data = await mkdtemp(path.join(tmpdir(), "latchkey-pictures-"));
  const ports = {
    PORT: String(await freePort()),
    LATCHKEY_PROVIDER_PORT: String(await freePort()),
  };
  const { app, provider, baseURL } = startSettings(ports, data, () => localSecrets(data));
  const processes = createDevProcesses(root, (sentence) => console.error(sentence));
  if (provider) await processes.start(providerProcess(root, { ...process.env, ...provider.env }));
  await processes.start({ ...appProcess(root, { ...process.env, ...app }), quiet: true });
  return {
    url: baseURL,
    async stop() {
      await processes.stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
