import { withoutCookiesOf } from "../../cookie-blocker.ts";
import { accountMenu, enter, expect, signIn, test } from "../../test-app.ts";

test("a browser without cookies gets a page about them after one more try", async ({
  testApp,
  browser,
  contextOptions,
}) => {
  const options = { ...contextOptions, baseURL: testApp.url };
  await withoutCookiesOf(testApp.url, browser, options, async (page) => {
    const callbacks: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === "/api/auth/callback") callbacks.push(request.url());
    });
    await signIn(page, "Ada Okafor", `${testApp.url}/account`);
    const main = page.getByRole("main");
    await expect(main.getByRole("heading", { level: 1 })).toHaveText(
      "Your browser is blocking cookies",
    );
    await expect(main).toContainText(`Allow cookies for ${new URL(testApp.url).host}`);
    await expect(main.getByRole("link", { name: "Try again" })).toBeVisible();
    expect(callbacks).toHaveLength(2);
    expect(await page.evaluate(() => navigator.cookieEnabled)).toBe(false);
    const cookies = await page.context().cookies(testApp.url);
    expect(cookies.filter(({ name }) => /^app|^auth/.test(name))).toEqual([]);
  });
});

test("a sign-in stops at the third turn with an explanation if its session cookie never comes back [S15]", async ({
  page,
  testApp,
  context,
}) => {
  await enter(context, testApp, "Ada Okafor");
  await context.clearCookies({ name: "appSession" });
  await page.goto("/account");
  await context.clearCookies({ name: "appSession" });
  const answer = await page.goto("/sample?tab=2");
  expect(answer?.status()).toBe(400);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText(
    "Signing in keeps starting over",
  );
  await expect(main.getByRole("listitem")).toContainText([
    "Your browser blocks cookies",
    `The right one is ${testApp.url}`,
    "x-forwarded-proto",
  ]);
  const again = main.getByRole("link", { name: "Try again" });
  await expect(again).toHaveAttribute("href", /returnTo=[^&]*%2Fsample%3Ftab%3D2/);
});

test("a sign-in succeeds after one more turn if the cookies were cleared meanwhile", async ({
  page,
  testApp,
  context,
}) => {
  await page.goto("/account");
  await context.clearCookies({ name: /^(appSession|auth_)/ });
  await page.getByRole("button", { name: "Ada Okafor" }).click();
  await expect(page).toHaveURL(`${testApp.url}/account`);
  await expect(accountMenu(page)).toHaveAccessibleName(/Ada Okafor/);
});
