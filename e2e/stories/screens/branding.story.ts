import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { startPagesApp } from "../../pages-app.ts";

const wideLogo =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='900' height='30'%3E%3Crect width='900' height='30' fill='purple'/%3E%3C/svg%3E";

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
    "express",
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
