import type { Locator, Page } from "@playwright/test";
import { accountMenu, enter, expect, test } from "../../test-app.ts";

const stopsAtMost = 12;

/** Presses Tab until the goal has the focus. Expects few stops, each with a visible focus. */
async function tabTo(page: Page, goal: Locator): Promise<void> {
  for (let stop = 1; stop <= stopsAtMost; stop += 1) {
    await page.keyboard.press("Tab");
    expect(await describeFocus(page), `stop ${stop}`).toBe("visible");
    if (await goal.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Not reached within ${stopsAtMost} stops.`);
}

/** Returns "visible" if the focused element is in view with a ring of 2 px, or the reason. */
function describeFocus(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return "nothing has the focus";
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const ring = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    const { top, bottom, width, height } = element.getBoundingClientRect();
    if (!ring && boxShadow === "none") return `${element.outerHTML.slice(0, 80)} has no ring`;
    const inView = bottom > 0 && top < innerHeight && width > 0 && height > 0;
    return inView ? "visible" : `${element.outerHTML.slice(0, 80)} is out of view`;
  });
}

test.describe("with the keyboard alone [ux 11]", () => {
  test("a person signs in, opens the menu, and signs out", async ({ page }) => {
    await page.goto("/");
    await tabTo(page, page.getByRole("link", { name: "Sign in with the local test provider" }));
    await page.keyboard.press("Enter");
    const person = page.getByRole("button", { name: "Ben Castellan" });
    await person.waitFor();
    await tabTo(page, person);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Hello, Ben Castellan");

    await tabTo(page, accountMenu(page));
    await page.keyboard.press("Enter");
    const account = page.getByRole("banner").getByRole("link", { name: "Your account" });
    await expect(account).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(account).toBeHidden();
    await expect(accountMenu(page)).toBeFocused();
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByRole("banner").getByRole("button", { name: "Sign out" }));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("You're signed out");
  });

  test("a person skips to the content, and reaches everything on the account page", async ({
    page,
    testApp,
    context,
  }) => {
    await enter(context, testApp, "Ada Okafor");
    await page.goto("/account");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();
    await tabTo(page, page.getByRole("main").getByRole("button", { name: "Sign out" }));
  });

  test("a person copies the reference of a problem", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/api/auth/elsewhere");
    const copy = page.getByRole("button", { name: "Copy details" });
    const width = (await copy.boundingBox())?.width;
    await tabTo(page, copy);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("status")).toHaveText("Copied");
    expect((await copy.boundingBox())?.width).toBe(width);
    const reference = await page.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).textContent();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`Reference: ${reference}`);
    await tabTo(page, page.locator("summary", { hasText: "Technical details" }));
    await page.keyboard.press("Enter");
    await expect(page.getByText("HTTP 404")).toBeVisible();
  });
});
