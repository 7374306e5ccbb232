import { accountMenu, expect, test } from "../../test-app.ts";

test.use({ javaScriptEnabled: false });

test.describe("without scripts [ux 17]", () => {
  test("a person signs in, reads their account, and signs out", async ({ page, testApp }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Sign in with the local test provider" }).click();
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Hello, Ada Okafor");
    await page.getByRole("main").getByRole("link", { name: "Your account" }).click();

    const session = page.getByRole("region", { name: "How long you stay signed in" });
    await expect(session).toContainText(/Signed out after 1 day without use tomorrow at .*UTC/);
    await page.getByText("All details").click();
    await expect(page.getByText("email_verified")).toBeVisible();
    await expect(page.getByRole("button", { name: /^Copy/ })).toHaveCount(0);

    await accountMenu(page).click();
    await page.getByRole("banner").getByRole("link", { name: "Signed-in devices" }).click();
    await expect(page).toHaveURL(`${testApp.url}/devices`);
    await accountMenu(page).click();
    await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("You're signed out");
    await page.goto("/account");
    await expect(page.getByText("Choose a sample person")).toBeVisible();
  });

  test("a cancelled sign-in moves on to the home page by itself", async ({ page, testApp }) => {
    await page.goto("/account");
    await page.getByRole("button", { name: "Cancel" }).click();
    const wanted = encodeURIComponent(`${testApp.url}/account`);
    await expect(page).toHaveURL(`${testApp.url}/?notice=cancelled&returnTo=${wanted}`);
    await expect(page.getByRole("status")).toContainText("Nothing has changed.");
    await page.getByRole("main").locator("a.button").click();
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await expect(page).toHaveURL(`${testApp.url}/account`);
  });

  test("a lost pending sign-in starts again by itself", async ({ page, context }) => {
    await page.goto("/account");
    await context.clearCookies({ name: /^auth_/ });
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your account");
  });

  test("a problem page shows everything, with its technical details", async ({ page }) => {
    await page.goto("/api/auth/elsewhere");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
    await expect(page.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)).toBeVisible();
    await page.getByText("Technical details").click();
    await expect(page.getByText("HTTP 404")).toBeVisible();
    await page.getByRole("link", { name: "Go to Latchkey home" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to Latchkey");
  });
});
