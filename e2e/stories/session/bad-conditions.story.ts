/** The screens under a wrong clock, or without a picture. */
import { enter, expect, test } from "../../test-app.ts";
import { startTimedTestApp } from "../../timed-test-app.ts";
import { waitForWatch } from "../../hydration.ts";

const day = 86_400;

for (const [which, shift] of [
  ["fast", day],
  ["slow", -day],
] as const) {
  test(`a browser with a clock a day ${which} shows the right end and no warning`, async ({
    page,
    context,
    testApp,
  }) => {
    await enter(context, testApp, "Ada Okafor");
    await page.clock.install({ time: Date.now() + shift * 1000 });
    await page.goto("/account");
    await waitForWatch(page);
    await page.clock.runFor(90_000);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("complementary")).toContainText("Signed in until tomorrow at");
  });
}

test("a server with a clock a day fast reports that the clocks don't match, and creates no session", async ({
  page,
}) => {
  const timed = await startTimedTestApp({ LATCHKEY_CLOCK_TOLERANCE: "60" });
  try {
    await timed.pass(day);
    await page.goto(`${timed.url}/account`);
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("The clocks don't match");
    await expect(page.getByRole("main")).toContainText("disagree about the time");
    const me = await page.context().request.get(`${timed.url}/api/auth/me`);
    expect(me.status()).toBe(204);
  } finally {
    await timed.close();
  }
});

test("a page works and shows initials while a picture does not load", async ({ page }) => {
  await page.route("**/favicon.svg", () => {});
  await page.goto("/_auth/gallery/account-picture", { waitUntil: "domcontentloaded" });
  const avatar = page.locator(".person .lk-avatar");
  await expect(avatar).toContainText("AO");
  const size = await avatar
    .locator("img")
    .evaluate((picture) => picture.getClientRects()[0]?.width);
  expect(size ?? 0).toBe(0);
  await page.locator("summary.lk-trigger").click();
  await expect(page.locator(".lk-menu").getByRole("link").first()).toBeVisible();
});
