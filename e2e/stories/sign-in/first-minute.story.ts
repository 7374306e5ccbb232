import { accountMenu, enter, expect, signIn, test } from "../../test-app.ts";

const oddAddresses = [
  "/sample?report=march&sort=name%2C%20then%20date#totals",
  "/sample?",
  "/sample?q=a+b%2Bc#a+b",
  "/sample?empty=&flag#flag",
  "/sample?a=1&a=2&a=1#:1",
  "/sample?url=https%3A%2F%2Felsewhere.example%2Fx%3Fy%3D1%23z#https://elsewhere.example/",
  "/sample?returnTo=%2Faccount&prompt=none#returnTo=/",
  "/sample?state=abc&code=def&error=none#state=abc",
  "/sample?name=%D8%B3%D9%84%D8%A7%D9%85#%D8%B3",
  "/sample?raw=سلام&key=🔑#سلام",
  "/sample?percent=100%25#100%25",
  "/sample?semicolon=a;b=c&comma=1,2#a;b",
  "/sample?list[]=1&list[x]=2#list[0]",
  "/sample?markup=%3Cb%3E%22%27&amp;=1#<b>",
  "/sample?up=../../etc&slashes=//double//#//double//",
  "/sample?double=%252F%2526%253F#%2523",
  "/sample?pipe=a|b&caret=^&tick=`#a|b",
  "/sample?tilde=~me&star=*&dollar=$1&bang=!&paren=(1)#~me",
  `/sample?long=${"x".repeat(1500)}#${"y".repeat(300)}`,
  "/reports/2026/%E2%82%AC/caf%C3%A9;v=1/?x=1#/route?tab=2&sort=up",
];

test("a visitor signs in and sees the account, both ends of the session and the signed-in devices", async ({
  page,
}) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to Latchkey");
  await page.getByRole("link", { name: "Sign in with the local test provider" }).click();
  await page.getByRole("button", { name: "Ada Okafor" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Hello, Ada Okafor");

  await page.getByRole("main").getByRole("link", { name: "Your account" }).click();
  const you = page.getByRole("region", { name: "You", exact: true });
  await expect(you).toContainText("ada@example.com");
  await expect(you).toContainText("Confirmed by the local test provider");
  await expect(you).toContainText("harbour");
  const session = page.getByRole("region", { name: "How long you stay signed in" });
  await expect(session.getByRole("listitem")).toContainText([
    /^Now/,
    /^Signed out after 1 day without use tomorrow at/,
    /^You'll be asked to sign in again \w+day/,
  ]);
  await expect(page.getByRole("complementary")).toContainText(
    /Ada Okafor.*ada@example\.com.*Signed in until tomorrow at/,
  );
  await you.getByRole("link", { name: "All details" }).click();
  await expect(page.getByText("email_verified")).toBeVisible();
  const seen = page.getByRole("region", { name: "What Latchkey can see" });
  await expect(seen.getByRole("listitem").first()).toHaveText("Know that it's you");

  await page.getByRole("link", { name: "Signed-in devices" }).first().click();
  await expect(page.getByRole("main")).toContainText(/Chrome on [\w ]+This device/);
  const activity = page.getByRole("region", { name: "Recent activity" });
  await expect(activity.getByRole("listitem").first()).toContainText("Signed in · Chrome on");
});

test("a reload, a second tab and a restarted application keep a person signed in", async ({
  page,
  testApp,
  context,
}) => {
  await signIn(page, "Ben Castellan", "/account?tab=profile");
  await expect(page).toHaveURL(`${testApp.url}/account?tab=profile`);
  await page.reload();
  await expect(page.getByRole("region", { name: "You", exact: true })).toContainText(
    "Ben Castellan",
  );
  const second = await context.newPage();
  await second.goto("/devices");
  await expect(accountMenu(second)).toHaveAccessibleName(/Ben Castellan/);
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    await testApp.restartApp(signal);
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your account");
  }
});

test("a reload never shows the page of a signed-out visitor [ux 28]", async ({
  page,
  testApp,
  context,
}) => {
  await enter(context, testApp, "Ada Okafor");
  await page.addInitScript(() => {
    const look = () => {
      const link = document.querySelector("header a[href*='/api/auth/login']");
      if (link !== null) document.documentElement.dataset["flash"] = link.outerHTML;
      requestAnimationFrame(look);
    };
    look();
  });
  await page.goto("/account");
  for (let count = 0; count < 10; count += 1) {
    await page.reload();
    await expect(accountMenu(page)).toBeVisible();
    expect(await page.locator("html").getAttribute("data-flash")).toBeNull();
  }
});

test("a deep link keeps query and fragment if the provider knows the person [ux 21]", async ({
  page,
  testApp,
  context,
}) => {
  await enter(context, testApp, "Ada Okafor");
  const arrivals: string[] = [];
  for (const address of oddAddresses) {
    await context.clearCookies({ name: /^(appSession|auth_)/ });
    await page.goto(address);
    arrivals.push(page.url());
  }
  // A code beside a state may be one of a provider: it is not copied.
  const expected = oddAddresses.map((address) => address.replace("&code=def", ""));
  expect(arrivals).toEqual(expected.map((address) => new URL(address, testApp.url).href));
});

test("a deep link keeps its query if the person chooses an account at the provider", async ({
  page,
  context,
  testApp,
}) => {
  const address = `${testApp.url}/sample?q=a%2Bb`;
  await page.goto(address);
  await page.getByRole("button", { name: "Ada Okafor" }).click();
  await expect(page).toHaveURL(address);
  await page.goBack();
  await expect(page).not.toHaveURL(/api\/auth\/login/);

  await context.clearCookies();
  await page.goto(address);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(`${testApp.url}/?returnTo=${encodeURIComponent(address)}`);
  await page.goto(`/api/auth/login?prompt=select_account&returnTo=${encodeURIComponent(address)}`);
  await page.getByRole("button", { name: "Ben Castellan" }).click();
  await expect(page).toHaveURL(address);
});

test("the sign-in link keeps the fragment", async ({ page, testApp }) => {
  await page.goto("/?returnTo=%2Fsample%3Fq%3Da%252Bb#part-2");
  await expect(page.getByText("Sign in to open the page you asked for.")).toBeVisible();
  await page.getByRole("link", { name: "Sign in with the local test provider" }).click();
  await page.getByRole("button", { name: "Ada Okafor" }).click();
  await expect(page).toHaveURL(`${testApp.url}/sample?q=a%2Bb#part-2`);
});

test("a sign-out ends the session here and at the provider, for copied cookies too [ASVS 7.4.1]", async ({
  page,
  testApp,
  context,
  browser,
}) => {
  await enter(context, testApp, "Ada Okafor");
  await page.goto("/account");
  const copied = (await context.cookies()).filter(({ name }) => name.startsWith("appSession"));
  expect(copied).not.toEqual([]);
  await accountMenu(page).click();
  await page.getByRole("group").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You're signed out");
  await expect(page.getByRole("main")).toContainText(
    "signed out of Latchkey and the local test provider",
  );
  await page.getByRole("main").getByRole("link", { name: "Sign in again" }).click();
  await expect(page.getByText("Choose a sample person")).toBeVisible();
  await expect(page.getByText("Signed in here")).toHaveCount(0);

  const thief = await browser.newContext({ baseURL: testApp.url });
  await thief.addCookies(copied);
  expect((await thief.request.get("/api/auth/me")).status()).toBe(204);
  expect((await thief.request.get("/api/sample")).status()).toBe(401);
  await thief.close();
});

test("Back after signing out shows nothing private", async ({ page, testApp, context }) => {
  await enter(context, testApp, "Ada Okafor");
  await page.goto("/account");
  await page.goto("/devices");
  await page.getByRole("main").getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You're signed out");
  for (let step = 0; step < 2; step += 1) {
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to Latchkey");
    await expect(page.getByText(/How long you stay|This device|person-ada/)).toHaveCount(0);
  }
});

test("the app and the local provider use the same name for it in every language", async ({
  request,
  testApp,
}) => {
  // In Arabic the app adds the article.
  for (const language of ["de", "en", "es", "fr", "it", "ja", "nl", "pl", "pt-BR"]) {
    const headers = { "Accept-Language": language };
    const own = await (await request.get(testApp.providerURL, { headers })).text();
    const [, name = "?"] = /<h1>([^<]+)<\/h1>/.exec(own) ?? [];
    const home = await (await request.get(testApp.url, { headers })).text();
    expect(home.toLowerCase()).toContain(name.toLowerCase());
  }
});
