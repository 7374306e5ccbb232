import { accountMenu, enter, expect, signIn, test } from "../../test-app.ts";

test.describe("a person is signed in without a click [ux 20]", () => {
  test("after Back to the page where the sign-in began", async ({ page, testApp }) => {
    await page.goto("/");
    await signIn(page, "Ada Okafor", "/sample?report=march");
    await expect(page).toHaveURL(`${testApp.url}/sample?report=march`);
    await page.goBack();
    await page.goBack();
    await expect(page).toHaveURL(`${testApp.url}/`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Hello, Ada Okafor");
  });

  test("on each of five protected pages restored together by the browser", async ({
    context,
    testApp,
  }) => {
    await enter(context, testApp, "Ada Okafor");
    await context.clearCookies({ name: /^(appSession|auth_)/ });
    const addresses = ["/account", "/devices", "/sample?tab=3", "/sample?tab=4", "/account?5"];
    const tabs = await Promise.all(
      addresses.map(async (address) => {
        const tab = await context.newPage();
        await tab.goto(address);
        return tab;
      }),
    );
    for (const [place, tab] of tabs.entries()) {
      await expect(tab).toHaveURL(`${testApp.url}${addresses[place]}`);
      await expect(accountMenu(tab)).toHaveAccessibleName(/Ada Okafor/);
    }
  });

  test("from a bookmark of the provider's page, made in the middle of an old sign-in", async ({
    page,
    testApp,
    context,
  }) => {
    const started = await context.request.get("/api/auth/login?returnTo=/sample", {
      maxRedirects: 0,
    });
    const bookmark = started.headers()["location"] ?? "";
    await enter(context, testApp, "Ada Okafor");
    await context.clearCookies({ name: /^(appSession|auth_)/ });
    await page.goto(bookmark);
    await expect(page).toHaveURL(`${testApp.url}/sample`);
    await expect(accountMenu(page)).toHaveAccessibleName(/Ada Okafor/);
  });

  test("after a double click on the sign-in link", async ({ page, testApp }) => {
    const logins: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === "/api/auth/login") logins.push(request.url());
    });
    await page.goto("/?returnTo=/sample");
    await page.getByRole("link", { name: "Sign in with the local test provider" }).dblclick();
    await page.getByRole("button", { name: "Ada Okafor" }).dblclick();
    await expect(page).toHaveURL(`${testApp.url}/sample`);
    await expect(accountMenu(page)).toHaveAccessibleName(/Ada Okafor/);
    expect(logins).toHaveLength(1);
  });
});

test("a cancelled sign-in lands on the home page with a quiet notice", async ({
  page,
  testApp,
}) => {
  await page.goto("/account");
  await page.getByRole("button", { name: "Cancel" }).click();
  const wanted = encodeURIComponent(`${testApp.url}/account`);
  await expect(page).toHaveURL(`${testApp.url}/?returnTo=${wanted}`);
  await expect(page.getByRole("status")).toHaveText(
    "You came back without signing in. Nothing has changed.",
  );
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to Latchkey");
});

test("the sign-in link shows its progress after a moment, and works again later", async ({
  page,
}) => {
  await page.route("**/api/auth/login**", (route) => route.fulfill({ status: 204 }));
  await page.clock.install();
  await page.goto("/");
  const link = page.getByRole("main").getByRole("link").first();
  const height = (await link.boundingBox())?.height;
  await link.click();
  await page.clock.runFor(200);
  await expect(link).toHaveText("Opening the local test provider…");
  await expect(link).toHaveAttribute("aria-disabled", "true");
  expect((await link.boundingBox())?.height).toBe(height);
  await page.clock.runFor(5_000);
  await expect(link).toHaveText("Sign in with the local test provider");
});
