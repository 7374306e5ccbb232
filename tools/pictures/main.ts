/**
 * `npm run pictures`: makes every picture of a screen in README, docs and site, light and dark, and
 * the one that messengers show beside a link. Beside them it writes what they were made from.
 *
 * `--check` fails instead if a screen has changed and its picture has not. It compares no pixels:
 * fonts differ between machines.
 */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Browser, chromium } from "@playwright/test";

import { findBrowser } from "../browser/browser.ts";
import { buildWhatChanged } from "../start/build.ts";
import { type Gallery, startGallery } from "./gallery.ts";
import {
  colorSchemes,
  digestOfLook,
  type Digests,
  outdatedPictures,
  pictures,
} from "./pictures.ts";
import { sharePage, takeSharePicture } from "./share-picture.ts";

const root = path.join(import.meta.dirname, "../..");
const folder = path.join(root, "docs/images");
const digestsFile = path.join(folder, "made-from.json");

/** In pixels; a picture of a whole page is as high as the page. */
const size = { width: 1120, height: 700 };

async function main(): Promise<void> {
  buildWhatChanged(root);
  const gallery = await startGallery(root);
  try {
    const digests = await digestsOf(gallery);
    if (process.argv.includes("--check")) return await check(digests);
    await takeAll(gallery);
    await writeFile(digestsFile, `${JSON.stringify(digests, null, 2)}\n`);
  } finally {
    await gallery.stop();
  }
}

async function digestsOf(gallery: Gallery): Promise<Digests> {
  const screens = await Promise.all(
    pictures.map(async ({ name, state }) => {
      const response = await fetch(gallery.addressOf(state));
      if (!response.ok) throw new Error(`The gallery has no state ${state}.`);
      return [name, digestOfLook(await response.text())] as const;
    }),
  );
  const digests = Object.fromEntries(screens);
  return { ...digests, share: digestOfLook(sharePage(digests["account"] ?? "")) };
}

async function check(digests: Digests): Promise<void> {
  const made = JSON.parse(await readFile(digestsFile, "utf8")) as Digests;
  const outdated = outdatedPictures(folder, made, digests);
  if (outdated.length === 0) return;
  const remedy =
    "Run `npm run pictures`, look at the pictures, and commit them with made-from.json.";
  console.log([...outdated, remedy].join("\n"));
  process.exitCode = 1;
}

async function takeAll(gallery: Gallery): Promise<void> {
  const found = await findBrowser();
  if (found === undefined) throw new Error("There is no Chromium on this machine.");
  // Small machines have little shared memory.
  const browser = await chromium.launch({
    executablePath: found.executablePath,
    env: { ...process.env, ...found.env },
    args: ["--disable-dev-shm-usage", "--disable-gpu", "--no-sandbox"],
  });
  try {
    for (const colorScheme of colorSchemes) await takePictures(browser, gallery, colorScheme);
    console.log(path.relative(root, await takeSharePicture(browser, folder)));
  } finally {
    await browser.close();
  }
}

async function takePictures(
  browser: Browser,
  gallery: Gallery,
  colorScheme: "light" | "dark",
): Promise<void> {
  const locale = { locale: "en-GB", timezoneId: "Europe/London" };
  const page = await browser.newPage({ viewport: size, colorScheme, ...locale });
  for (const { name, state, isWhole } of pictures) {
    const file = path.join(folder, `${name}-${colorScheme}.png`);
    await page.goto(gallery.addressOf(state));
    await page.screenshot({ path: file, fullPage: isWhole, animations: "disabled" });
    console.log(path.relative(root, file));
  }
  await page.close();
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
