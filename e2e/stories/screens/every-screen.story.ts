import type { Browser, Page } from "@playwright/test";
import { longTests } from "../../../packages/latchkey/test/long-tests.ts";
import { openBuiltInGallery } from "../../../packages/latchkey/test/built-in-gallery.ts";
import { openProviderGallery } from "../../../packages/provider/test/page-gallery.ts";
import { findAxeFaults } from "../../axe.ts";
import { waitForHydration } from "../../hydration.ts";
import { expect, test } from "../../test-app.ts";
import { layoutShifts } from "../../layout-shifts.ts";
import { pinPage } from "../../pin-page.ts";

/** A fault of one screen in one state. */
interface Finding {
  readonly check: "error" | "axe" | "shift" | "sideways" | "cut off" | "target" | "motion" | "edge";
  readonly what: string;
}

/** A screen of 1280 × 1024 at 400 %. */
const smallest = { width: 320, height: 256 };
const pagesAtOnce = 3;

let galleries = { app: [""], package: [""], provider: [""] };
const findings: Finding[] = [];

test.beforeAll(async ({ browser, testApp }) => {
  test.setTimeout(600_000);
  const [builtIn, provider] = [await openBuiltInGallery(), await openProviderGallery()];
  galleries = {
    app: await readLinks(`${testApp.url}/_auth/gallery`),
    package: await readLinks(`${builtIn.origin}/`),
    provider: await readLinks(`${provider.origin}/`),
  };
  const all = Object.values(galleries).flat();
  // `npm run ci` looks at every state, `npm test` at each eighth.
  const waiting = all.filter((_, index) => longTests || index % 8 === 0);
  const walks = Array.from({ length: pagesAtOnce }, () => walk(browser, waiting));
  findings.push(...(await Promise.all(walks)).flat());
  await Promise.all([builtIn.close(), provider.close()]);
});

test("the app, the package and the local provider have a gallery of every screen in every state", () => {
  expect(galleries.app.length).toBeGreaterThan(70);
  expect(galleries.package.length).toBeGreaterThan(35);
  expect(galleries.provider.length).toBeGreaterThan(10);
});

for (const [check, promise] of [
  ["error", "no error in a script or in hydration"],
  ["axe", "no accessibility fault, light and dark [ux 3]"],
  ["shift", "no layout shift during hydration [ux 6]"],
  ["sideways", "no sideways scrolling at 400 % zoom, also spaced wide, also right to left [ux 13]"],
  ["cut off", "no text cut off there [ux 13]"],
  ["target", "targets of at least 24 px, 44 px for the main action [ux 16]"],
  ["motion", "no motion if the user prefers none [ux 14]"],
  ["edge", "controls with an edge in forced colors [ux 14]"],
] as const) {
  test(`every screen in every state has ${promise}`, () => {
    expect(findings.filter((finding) => finding.check === check)).toEqual([]);
  });
}

/** Returns the addresses of a gallery. */
async function readLinks(index: string): Promise<string[]> {
  const html = await (await fetch(index)).text();
  return Array.from(html.matchAll(/<a href="(\/[^"]+)"/g), ([, path = ""]) =>
    String(new URL(path, index)),
  );
}

/** Checks one waiting address after the other. */
async function walk(browser: Browser, waiting: string[]): Promise<Finding[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const open = await pinPage(page);
  const found: Finding[] = [];
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const name = address.split("/").at(-1);
    const note = (check: Finding["check"], list: readonly string[]) =>
      found.push(...list.map((what) => ({ check, what: `${name}: ${what}` })));
    page.removeAllListeners("pageerror").on("pageerror", ({ message }) => note("error", [message]));
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({
      colorScheme: "light",
      reducedMotion: "reduce",
      forcedColors: "none",
    });
    await open(address);
    await settle(page);
    // The action of a state may move the page, but hydration may not.
    if (!(await page.evaluate(() => "after" in document.body.dataset))) {
      note("shift", await page.evaluate(layoutShifts));
    }
    note("motion", await page.evaluate(findMotions));
    note("axe", await findAxeFaults(page));
    await page.emulateMedia({ colorScheme: "dark" });
    note("axe", await findAxeFaults(page, ["color-contrast"]));
    await page.setViewportSize(smallest);
    note("sideways", await page.evaluate(findSidewaysScrolling));
    note("target", await page.evaluate(findSmallTargets));
    await page.evaluate(spaceText);
    note("sideways", await page.evaluate(findSidewaysScrolling));
    note("cut off", await page.evaluate(findCutOff));
    await page.emulateMedia({ forcedColors: "active" });
    note("edge", await page.evaluate(findMissingEdges));
    await open(`${address}?lang=ar`);
    note("sideways", await page.evaluate(findSidewaysScrolling));
  }
  await context.close();
  return found;
}

/** Waits for hydration and for the action of the state. */
async function settle(page: Page): Promise<void> {
  await waitForHydration(page);
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20))),
  );
}

// The following functions run in the page.

function findMotions(): string[] {
  return document
    .getAnimations()
    .filter((animation) => Number(animation.effect?.getComputedTiming().duration) > 1)
    .map((animation) => JSON.stringify(animation.effect?.getComputedTiming()));
}

function findSidewaysScrolling(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const widest = [...document.querySelectorAll("body *")]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
    .map((element) => element.outerHTML.slice(0, 100));
  return [`${scrollWidth} px: ${widest.slice(0, 3).join(" ")}`];
}

/** WCAG 2.2, 1.4.12. */
function spaceText(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
     p { margin-block-end: 2em !important }`,
  );
  document.adoptedStyleSheets.push(sheet);
}

/**
 * Returns elements with hidden overflow. A field scrolls its text. The strip and the account menu
 * shorten the name of the user, which the account page shows in full.
 */
function findCutOff(): string[] {
  return [...document.querySelectorAll<HTMLElement>("body *:not(input, .strip-who *, .lk-who *)")]
    .filter((element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      const hides = [overflowX, overflowY].some((value) => value === "hidden" || value === "clip");
      const { clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
      const isShown = clientWidth > 2 && clientHeight > 2;
      return hides && isShown && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1);
    })
    .map((element) => element.outerHTML.slice(0, 200));
}

/** Links in a line of text may be as small as the text (WCAG 2.2, 2.5.8). */
function findSmallTargets(): string[] {
  const targets = [...document.querySelectorAll<HTMLElement>("a[href], button, summary, input")];
  return targets
    .filter((target) => target.checkVisibility({ visibilityProperty: true }))
    .filter((target) => getComputedStyle(target).display !== "inline")
    .filter((target) => {
      const { width, height } = target.getBoundingClientRect();
      if (width <= 2 || target.matches(".skip")) return false;
      const isMain = target.matches(".button:not(.quiet), .lk-primary, .action, .person");
      return width < 24 || height < (isMain ? 44 : 24);
    })
    .map((target) => {
      const { width, height } = target.getBoundingClientRect();
      return `${Math.round(width)} × ${Math.round(height)}: ${target.outerHTML.slice(0, 120)}`;
    });
}

function findMissingEdges(): string[] {
  const controls = [
    ...document.querySelectorAll<HTMLElement>("button:not(.plain), .button, .action"),
  ];
  return controls
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .filter((control) => {
      const { borderTopStyle, borderTopWidth } = getComputedStyle(control);
      return borderTopStyle === "none" || Number.parseFloat(borderTopWidth) < 1;
    })
    .map((control) => control.outerHTML.slice(0, 120));
}
