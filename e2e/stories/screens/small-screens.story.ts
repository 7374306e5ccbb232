import type { Page } from "@playwright/test";
import { accountMenu, enter, expect, startTestApp, test } from "../../test-app.ts";

test.use({ viewport: { width: 320, height: 568 }, isMobile: true, hasTouch: true });

async function expectFits(page: Page): Promise<void> {
  const { scrollWidth, zoomed } = await page.evaluate(() => ({
    scrollWidth: document.documentElement.scrollWidth,
    zoomed: visualViewport?.width,
  }));
  expect({ page: page.url(), scrollWidth, zoomed }).toEqual({
    page: page.url(),
    scrollWidth: 320,
    zoomed: 320,
  });
}

test("a person with a small phone signs in, looks around, and signs out", async ({ page }) => {
  await page.goto("/");
  await expectFits(page);
  await page.getByRole("link", { name: "Sign in with the local test provider" }).tap();
  await expect(page.getByText("Choose a sample person")).toBeVisible();
  await expectFits(page);
  await page.getByRole("button", { name: "Emi Tanaka" }).tap();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Hello, Emi Tanaka");
  await expectFits(page);
  await accountMenu(page).tap();
  await expectFits(page);
  await page.getByRole("banner").getByRole("link", { name: "Your account" }).tap();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your account");
  for (const details of await page.locator("main summary").all()) await details.tap();
  await expectFits(page);
  await page.goto(`/sample?${"a-long-name".repeat(30)}=${"a-long-value".repeat(30)}`);
  await expectFits(page);
  await accountMenu(page).tap();
  await page.getByRole("banner").getByRole("button", { name: "Sign out" }).tap();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You're signed out");
  await expectFits(page);
});

for (const [locale, direction, title] of [
  ["de-AT", "ltr", "Ihr Konto"],
  ["ar", "rtl", "حسابك"],
] as const) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test("every main page speaks the language and fits", async ({ page, context, testApp }) => {
      for (const path of ["/", "/api/auth/elsewhere", "/api/auth/callback"]) {
        await page.goto(path);
        await expect(page.locator("html")).toHaveAttribute("dir", direction);
        await expectFits(page);
      }
      await enter(context, testApp, "ليلى حداد");
      for (const path of ["/sample", "/devices", "/account"]) {
        await page.goto(path);
        await expectFits(page);
      }
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
      await page.getByRole("main").locator("form button").last().tap();
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectFits(page);
    });
  });
}

test("every page fits a provider name of one long word [ux 13]", async ({ page }) => {
  const app = await startTestApp({ LATCHKEY_PROVIDER_NAME: "Donaudampfschifffahrtsverwaltung" });
  const pages = ["/", "/_auth/signed-out?provider=still", "/_auth/gallery/problem-provider-busy"];
  for (const path of [...pages, "/_auth/gallery/account-usual", "/_auth/gallery/devices-several"]) {
    await page.goto(app.url + path);
    await expectFits(page);
  }
  await app.close();
});

/** Runs in the page. Returns words of the navigation on more than one line. */
function findBrokenWords(): string[] {
  return [...document.querySelectorAll(".pages a")].flatMap((link) => {
    const text = link.lastChild;
    if (!(text instanceof Text)) return [];
    return [...text.data.matchAll(/[^\s-]+/g)].flatMap(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return range.getClientRects().length > 1 ? [word] : [];
    });
  });
}

test("no word of the navigation breaks in any language, also spaced wide [ux 13]", async ({
  page,
}) => {
  // Japanese has no spaces: its lines end between phrases.
  for (const language of ["ar", "de", "en", "es", "fr", "it", "nl", "pl", "pt-BR"]) {
    await page.goto(`/_auth/gallery/devices-several?lang=${language}`);
    expect(await page.evaluate(findBrokenWords), language).toEqual([]);
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("* { letter-spacing: 0.12em; word-spacing: 0.16em }");
      document.adoptedStyleSheets.push(sheet);
    });
    await expectFits(page);
    expect(await page.evaluate(findBrokenWords), language).toEqual([]);
  }
});
