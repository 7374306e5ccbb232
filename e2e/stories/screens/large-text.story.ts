/** The screens with the default font size of the browser doubled. */
import { longTests } from "../../../packages/latchkey/test/long-tests.ts";
import { expect, test } from "../../test-app.ts";

test.use({ viewport: { width: 390, height: 800 } });

test.beforeEach(async ({ context, page }) => {
  const session = await context.newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
});

/** Runs in the page. Returns words on more than one line or beyond the edge of the window. */
function findSpoiledWords(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const spoiled: string[] = [];
  const range = document.createRange();
  // Japanese has no spaces between its words.
  const segmenter = new Intl.Segmenter(document.documentElement.lang, { granularity: "word" });
  for (let text = texts.nextNode(); text instanceof Text; text = texts.nextNode()) {
    if (
      !text.parentElement?.matches("h1, h2, h3, .badge, .button, .pages a, .brand span, strong")
    ) {
      continue;
    }
    for (const { segment: word, index, isWordLike } of segmenter.segment(text.data)) {
      if (isWordLike !== true) continue;
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const { left, right } = range.getBoundingClientRect();
      if (range.getClientRects().length > 1 || left < 0 || right > innerWidth) spoiled.push(word);
    }
  }
  return spoiled;
}

for (const language of ["en", "ar", "de", ...(longTests ? ["ja", "pl"] : [])]) {
  test(`on a phone no screen breaks a word or leaves the window in ${language}`, async ({
    page,
  }) => {
    for (const state of ["account-usual", "devices-several", "home-arrived", "problem-not-found"]) {
      await page.goto(`/_auth/gallery/${state}?lang=${language}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), state).toBe(390);
      expect(await page.evaluate(findSpoiledWords), state).toEqual([]);
    }
  });
}

test("on a phone the account menu fits the window, and the initials fit their circle", async ({
  page,
}) => {
  await page.goto("/_auth/gallery/account-usual");
  const trigger = page.locator("summary.lk-trigger");
  await trigger.click();
  const panel = await page.locator(".lk-panel").boundingBox();
  expect([(panel?.x ?? -1) >= 0, (panel?.x ?? 0) + (panel?.width ?? 999) <= 390]).toEqual([
    true,
    true,
  ]);
  const circle = page.locator(".lk-trigger .lk-avatar");
  const cut = await circle.evaluate((it) => it.scrollWidth - it.clientWidth);
  expect(cut).toBe(0);
});
