import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { startPagesApp } from "../../pages-app.ts";

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
