import path from "node:path";
import type { Page } from "@playwright/test";
import { longTests } from "../../../packages/latchkey/test/long-tests.ts";
import { themeBench, themeFiles } from "../../../tools/site/theme.ts";
import { findAxeFaults } from "../../axe.ts";
import { expect, test } from "../../test-app.ts";

const gallery = "/_auth/gallery";
const logo = "data:image/svg+xml,<svg/>";

function firstState(page: Page) {
  return page.frameLocator("iframe >> nth=0");
}

/** The color of a link of the first state: its accent. */
async function expectAccent(page: Page, color: string): Promise<void> {
  const link = firstState(page).getByRole("link", { name: "Sign in", exact: true });
  await expect(link).toHaveCSS("color", color);
}

/** A browser needs long for all frames of a bench. */
function withFrames(html: string, isSeen: (frame: string, place: number) => boolean): string {
  let count = 0;
  return html.replaceAll(/<iframe [^>]*><\/iframe>/g, (frame) =>
    isSeen(frame, count++) ? frame : "",
  );
}

/** Serves the bench of the app with the frames that these stories look at. */
async function keepFewFrames(page: Page): Promise<void> {
  await page.route(/\/_auth\/gallery(?:\?.*)?$/, async (route) => {
    const response = await route.fetch();
    const isSeen = (frame: string) => /home-arrived|account-ended-idle/.test(frame);
    await route.fulfill({ response, body: withFrames(await response.text(), isSeen) });
  });
}

/** Serves the bench of the site to this page, and returns its address. */
async function openOnSite(page: Page, change = (html: string) => html): Promise<string> {
  const files = await themeFiles(path.join(import.meta.dirname, "../../.."));
  const bench = `http://site.localhost${themeBench}`;
  await page.route(`${bench}**`, (route) => {
    const { pathname } = new URL(route.request().url());
    const file = pathname.slice(themeBench.length);
    const body = files.get(file) ?? files.get(`${file}index.html`);
    if (body === undefined) return route.fulfill({ status: 404 });
    return route.fulfill({
      body: change(body),
      contentType: file.endsWith(".js") ? "text/javascript" : "text/html; charset=utf-8",
    });
  });
  return bench;
}

async function expectFits(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

// The site has the same elements, and renders all of them with each change: a long story.
const places = ["in the app", ...(longTests ? ["on the site"] : [])];

for (const place of places) {
  test.describe(`the theme bench ${place}`, () => {
    test.beforeEach(async ({ page, testApp }) => {
      await keepFewFrames(page);
      const address = place === "in the app" ? testApp.url + gallery : await openOnSite(page);
      await page.goto(address);
    });

    test("shows the contrast of a color and its replacement, and copies the settings", async ({
      page,
      context,
    }) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByLabel("Pick the accent").fill("#ffd54f");
      await expect(page.getByLabel("Accent, or")).toHaveValue("#ffd54f");
      await expect(page.getByRole("region", { name: "Contrast" })).toContainText(
        "#ffd54f is hard to read on light screens. The pages use #",
      );
      const row = page.getByRole("row", { name: "Accent on surface" });
      await expect(row).toContainText(/1\.4 fails, corrected: \d\.\d passes12\.5 passes/);
      await page.getByLabel("Accent, or").fill("#7a1f5c #f0a0d0");
      const code = page.locator("pre", { hasText: "pages({" });
      await expect(code).toContainText('accent: ["#7a1f5c", "#f0a0d0"]');
      await expect(page.locator("pre", { hasText: "LATCHKEY_" })).toContainText(
        "LATCHKEY_COLOR_ACCENT='#7a1f5c #f0a0d0'",
      );
      await page.getByRole("button", { name: "Copy settings for your app" }).click();
      await expect(page.locator("#said")).toHaveText("Copied");
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toBe(await code.textContent());
    });

    test("shows another look in every state at once, and keeps it on a reload", async ({
      page,
    }) => {
      const length = await page.evaluate(() => history.length);
      const state = firstState(page);
      await expectAccent(page, "rgb(11, 110, 95)");
      await page.getByRole("textbox", { name: "Name" }).fill("Café <b>");
      await page.getByLabel("Accent, or").fill("#7a1f5c");
      await page.getByLabel("logo").fill(logo);
      await expectAccent(page, "rgb(122, 31, 92)");
      await expect(state.locator("img.logo")).toHaveAttribute("src", logo);
      await page.getByRole("link", { name: "Account: ended-idle" }).scrollIntoViewIfNeeded();
      const dialog = page.frameLocator('iframe[title="Account: ended-idle"]').getByRole("dialog");
      await expect(dialog).toBeVisible();
      await expect(page.getByLabel("logo")).toBeFocused();
      await expect(state.getByRole("heading", { level: 1 })).toHaveText("Sign in to Café <b>");
      // A link in a frame leads nowhere.
      await state.getByRole("link", { name: "Sign in", exact: true }).click();
      await expect(state.getByRole("heading", { level: 1 })).toHaveText("Sign in to Café <b>");
      await page.getByLabel("Language").selectOption("German");
      await page.getByLabel("Scheme").selectOption("Dark");
      await expect(state.locator("html")).toHaveAttribute("lang", "de");
      await expect(state.locator("body")).toHaveCSS("background-color", "rgb(14, 17, 20)");
      expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(length + 1);
      await page.reload();
      await expect(state.locator("html")).toHaveAttribute("lang", "de");
      await page.getByRole("link", { name: "Account: ended-idle" }).scrollIntoViewIfNeeded();
      await expect(dialog).toContainText("abgemeldet");
    });

    test("gives a sentence for each wrong value, and has no accessibility fault on phones and desktops", async ({
      page,
    }) => {
      await page.getByLabel("Accent, or").fill("purple");
      await page.getByLabel("Radius").fill("99");
      await page.getByLabel("logo").fill("javascript:alert(1)");
      await expect(page.getByRole("alert").locator("p")).toHaveText([
        /^The accent must be a color like #0b6e5f/,
        "The radius must be a number of pixels from 0 to 24.",
        /^The logo must be a picture of at most 16 kB/,
      ]);
      await expectAccent(page, "rgb(11, 110, 95)");
      await page.getByLabel("Accent, or").fill("#ffd54f");
      await expect(page.getByRole("alert").locator("p")).toHaveCount(2);
      for (const [width, colorScheme] of [
        [320, "light"],
        [1280, "dark"],
      ] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize({ width, height: 800 });
        await expectFits(page);
        expect(await findAxeFaults(page)).toEqual([]);
      }
    });
  });
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the theme bench in the app shows its states with the sent values", async ({ page }) => {
    await keepFewFrames(page);
    await page.goto(gallery, { waitUntil: "domcontentloaded" });
    await page.getByRole("textbox", { name: "Name" }).fill("Acme");
    await page.getByLabel("Accent, or").fill("#7a1f5c");
    await page.getByRole("button", { name: "Show" }).click();
    await expectAccent(page, "rgb(122, 31, 92)");
    await expect(page.locator("pre").first()).toContainText('name: "Acme"');
    await expect(page.getByRole("button", { name: /^Copy/ })).toHaveCount(0);
    await page.getByRole("link", { name: "Home, signed out: arrived" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to Acme");
  });

  test("the theme bench on the site shows its states, and says what needs scripts", async ({
    page,
  }) => {
    const withFirstFrame = (html: string) => withFrames(html, (_, place) => place === 0);
    await page.goto(await openOnSite(page, withFirstFrame), { waitUntil: "domcontentloaded" });
    await expectAccent(page, "rgb(11, 110, 95)");
    await expect(page.getByText("This page needs scripts to change")).toBeVisible();
    const noIndex = 'meta[name="robots"][content="noindex"]';
    await expect(page.locator(noIndex)).toHaveCount(0);
    await expect(firstState(page).locator(noIndex)).toHaveCount(1);
  });
});
