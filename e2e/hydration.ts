import type { Page } from "@playwright/test";

/** Waits until the page watches its session. */
export async function waitForWatch(page: Page): Promise<void> {
  await page.waitForFunction(() => "watched" in document.body.dataset);
}

/** Waits until Preact has hydrated every island of the page. It keeps its tree in `__k`. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll("[data-island]")].every((island) => "__k" in island),
  );
}
