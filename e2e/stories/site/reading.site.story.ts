import { AxeBuilder } from "@axe-core/playwright";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { expect, type Page, test as base } from "@playwright/test";
import { Hono } from "hono";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { base as folder } from "../../../tools/site/addresses.ts";
import { queries } from "./queries.ts";

const root = path.join(import.meta.dirname, "../../../site/dist");

/** The built site, one server for each worker. */
const test = base.extend<object, { readonly site: string }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures
    async ({}, use) => {
      if (!existsSync(root)) throw new Error("There is no site here: npm run site builds it.");
      const app = new Hono().use(serveStatic({ root }));
      const server = serve({ fetch: app.fetch, hostname: "localhost", port: 0 });
      await once(server, "listening");
      const address = server.address();
      const port = typeof address === "object" ? address?.port : "";
      await use(`http://localhost:${port}${folder}`);
      server.close();
    },
    { scope: "worker" },
  ],
});

/** A page of each kind. */
const kinds = [
  "",
  "all-pages/",
  "comparison/",
  "concepts/session/",
  "doctor/",
  "errors/sign_in_loop/",
  "options/",
  "providers/entra-id/",
  "recipes/path-behind-nginx/",
  "reference/types/",
];

for (const kind of kinds) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`axe finds nothing on /${kind} in ${colorScheme} colors`, async ({ page, site }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto(site + kind);
      await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    });
  }
}

/** What a user of Latchkey pastes into the search, and the page with the remedy. */
const messages: readonly (readonly [message: string, pages: RegExp])[] = [
  ["invalid_client", /errors\/client_rejected/],
  ["Request Header Or Cookie Too Large", /errors\/cookies_too_large/],
  ["localhost redirected you too many times", /errors\/sign_in_loop/],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", /errors\/provider_unreachable/],
  ["Port 4000 is taken", /guides\/command/],
  ["is still the placeholder of an example", /options/],
  ["upstream sent too big header", /recipes\/path-behind-nginx/],
  ["redirect_uri_mismatch", /providers\/google/],
  ["AADSTS50011", /providers\/entra-id/],
  ["invalid_grant", /errors\/code_rejected/],
  ["state_cookie_missing", /errors\/state_cookie_missing/],
  ["needs the package redis", /guides\/stores/],
];

for (const [words, address] of [...messages, ...queries]) {
  test(`the first three results for "${words}" have a page that helps`, async ({ page, site }) => {
    await page.goto(site);
    const found = await search(page, words);
    expect(found.slice(0, 3)).toContainEqual(expect.stringMatching(address));
  });
}

/** Returns the addresses of the results. */
async function search(page: Page, words: string): Promise<readonly string[]> {
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("textbox", { name: "Search" }).fill(words);
  const results = page.locator(".pagefind-ui__result-inner > .pagefind-ui__result-title a");
  await expect(results.first()).toBeVisible();
  await expect(page.locator(".pagefind-ui__loading")).toHaveCount(0);
  return results.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname));
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a reader gets from the front page to any page, and reads its code", async ({
    page,
    site,
  }) => {
    await page.goto(site);
    await page.getByRole("link", { name: "All pages" }).first().click();
    await page.getByRole("main").getByRole("link", { name: "Express" }).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Express");
    await expect(page.getByText("app.use(latchkey(auth));").first()).toBeVisible();
  });

  test("a phone shows the list of pages", async ({ page, site }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${site}guides/express/`);
    await page.getByRole("link", { name: "All pages" }).first().click();
    await expect(page).toHaveURL(`${site}all-pages/`);
  });
});
