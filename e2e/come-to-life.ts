import type { Page } from "@playwright/test";

/** Until every part of the page that lives has come to life: React leaves its mark there. */
export async function comeToLife(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll("[data-island]")].every((island) =>
      Object.keys(island).some((key) => key.startsWith("__reactContainer")),
    ),
  );
}
