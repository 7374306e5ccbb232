import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "../../test-app.ts";
import type { Page } from "@playwright/test";
import { layoutShifts } from "../../layout-shifts.ts";
import { startPagesApp } from "../../pages-app.ts";

function picture(width: number, height: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="purple"/></svg>`;
}

const wideLogo = `data:image/svg+xml,${encodeURIComponent(picture(900, 30))}`;

async function openDevices(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/_auth/devices`);
  await page.getByRole("button", { name: "Ada Okafor" }).click();
  await expect(page.locator(".badge", { hasText: "This device" }).first()).toBeVisible();
}

for (const { accent, warnings } of [
  { accent: "#ffcc00", warnings: [/^The accent #ffcc00 is hard to read; the pages use #/] },
  // It is readable on light screens, and the color for dark ones is not the developer's.
  { accent: "#7a1f5c", warnings: [] },
]) {
  test(`the accent ${accent} can be read on badges and the current link, light and dark`, async ({
    page,
  }) => {
    const app = await startPagesApp("hono", { accent });
    await openDevices(page, app.url);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const axe = new AxeBuilder({ page }).withRules(["color-contrast"]);
      const { violations, passes } = await axe.include(".badge").include(".pages").analyze();
      expect(violations).toEqual([]);
      expect(passes.flatMap(({ nodes }) => nodes).length).toBeGreaterThan(2);
    }
    expect(app.warnings).toEqual(warnings.map((each) => expect.stringMatching(each)));
    await app.close();
  });
}

test("the page about wrong settings has the look and the addresses of the app", async ({
  page,
}) => {
  const app = await startPagesApp(
    "hono",
    { name: "Harbour", logo: wideLogo, accent: "#7a1f5c", radius: 3 },
    { issuerBaseURL: "id.example.com", pagesPrefix: "/me", routes: { prefix: "/sign" } },
  );
  await page.goto(`${app.url}/reports`);
  await expect(page).toHaveTitle("Harbour isn't ready yet · Harbour");
  await expect(page.locator("img.logo")).toHaveAttribute("src", wideLogo);
  const button = page.locator(".copy").first();
  await expect(button).toHaveCSS("border-radius", "3px");
  await expect(page.locator("summary").first()).toHaveCSS("color", "rgb(122, 31, 92)");
  await expect(page.locator(".addresses code")).toHaveText([
    `${app.url}/sign/callback`,
    `${app.url}/me/signed-out`,
    `${app.url}/sign/backchannel-logout`,
  ]);
  await expect(page.getByText("npx latchkey provider")).toBeVisible();
  await expect(page.getByText("npm start")).toHaveCount(0);
  await app.close();
});

test("a wrong accent is a fault on the page about wrong settings", async ({ page }) => {
  const app = await startPagesApp("express", { name: "Harbour", accent: "purple" });
  await page.goto(`${app.url}/reports`);
  await expect(page.locator(".settings")).toContainText("pages.accent must be a color");
  await app.close();
});

test("a wide logo keeps its proportions, and its place from the beginning", async ({ page }) => {
  const app = await startPagesApp("hono", { logo: wideLogo });
  await page.goto(`${app.url}/_auth/signed-out`);
  const logo = page.locator("img.logo");
  await expect(logo).toHaveCSS("object-fit", "contain");
  expect(await logo.boundingBox()).toMatchObject({ width: 160, height: 32 });
  await expect(page.locator(".door-mark")).toBeHidden();
  expect(await page.evaluate(layoutShifts)).toEqual([]);
  await app.close();
});

test("a square logo that arrives late moves nothing", async ({ page }) => {
  const app = await startPagesApp("hono", { logo: "/logo.svg" });
  await page.route("**/logo.svg", async (route) => {
    await new Promise((resolve) => void setTimeout(resolve, 500));
    await route.fulfill({ contentType: "image/svg+xml", body: picture(64, 64) });
  });
  await page.goto(`${app.url}/_auth/signed-out`, { waitUntil: "load" });
  const logo = page.locator("img.logo");
  expect(await logo.boundingBox()).toMatchObject({ width: 32, height: 32 });
  expect(await logo.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBe(64);
  expect(await page.evaluate(layoutShifts)).toEqual([]);
  await app.close();
});

for (const { what, body } of [
  { what: "missing", body: undefined },
  { what: "no picture", body: "# A text" },
]) {
  test(`a door is shown for a logo that is ${what}, signed out and signed in`, async ({ page }) => {
    const app = await startPagesApp("express", { name: "Harbour", logo: "/logo.svg" });
    await page.route("**/logo.svg", (route) =>
      route.fulfill(body === undefined ? { status: 404 } : { contentType: "text/plain", body }),
    );
    for (const path of ["/_auth/signed-out", "/api/auth/nothing", "/_auth/account"]) {
      await page.goto(app.url + path);
      if (path.endsWith("/account")) await page.getByRole("button", { name: "Ada Okafor" }).click();
      await expect(page.locator(".brand .door-mark")).toBeVisible();
      await expect(page.locator("img.logo")).toBeHidden();
      await expect(page.locator(".brand")).toHaveText("Harbour");
    }
    await app.close();
  });
}
