import { expect, signIn, test } from "./house.ts";

test("a visitor signs in at the local provider and comes back to the page first asked for", async ({
  page,
  house,
}) => {
  await signIn(page, "Ada Okafor", "/account?tab=profile");
  await expect(page).toHaveURL(`${house.url}/account?tab=profile`);
  const me = await page.request.get("/api/auth/me");
  expect(await me.json()).toMatchObject({ name: "Ada Okafor", email: "ada@example.com" });
});

test("a restart, also by pulling the plug, keeps a person signed in", async ({ page, house }) => {
  await signIn(page, "Ben Castellan", "/account");
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    await house.restartApp(signal);
    expect((await page.request.get("/api/auth/me")).status()).toBe(200);
  }
});
