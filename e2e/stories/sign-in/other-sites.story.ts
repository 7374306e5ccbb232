import type { APIRequestContext, BrowserContext } from "@playwright/test";
import { enter, expect, test } from "../../test-app.ts";
import type { TestApp } from "../../test-app.ts";
import { openOtherSite } from "../../other-site.ts";
import type { OtherSite } from "../../other-site.ts";

let site: OtherSite;
test.beforeAll(async () => {
  site = await openOtherSite();
});
test.afterAll(() => site.close());

async function nameOf(context: BrowserContext, testApp: TestApp): Promise<string | undefined> {
  const me = await context.request.get(`${testApp.url}/api/auth/me`);
  return me.status() === 200 ? (await me.json()).name : undefined;
}

test.describe("another site cannot sign a person out [ATK-103]", () => {
  test.beforeEach(({ context, testApp }) => enter(context, testApp, "Ada Okafor"));

  const report = `document.title = 'answered'`;
  for (const [way, body] of [
    ["an image", (url: string) => `<img src="${url}" onload="${report}" onerror="${report}">`],
    [
      "a prefetch",
      (url: string) => `<link rel="prefetch" href="${url}" onload="${report}" onerror="${report}">`,
    ],
    [
      "a script",
      (url: string) =>
        `<script>
           fetch("${url}", { method: "POST", mode: "no-cors", credentials: "include" })
             .catch(() => {})
             .then(() => { ${report} });
         </script>`,
    ],
  ] as const) {
    test(`by ${way}`, async ({ page, context, testApp }) => {
      site.show(body(`${testApp.url}/api/auth/logout`));
      const asked = page.waitForRequest(`${testApp.url}/api/auth/logout`);
      await page.goto(site.url);
      await asked;
      await expect(page).toHaveTitle("answered");
      expect(await nameOf(context, testApp)).toBe("Ada Okafor");
    });
  }

  test("by a form with automatic submission: the person can stay signed in", async ({
    page,
    context,
    testApp,
  }) => {
    site.show(
      `<form method="post" action="${testApp.url}/api/auth/logout"></form>
       <script>document.forms[0].submit()</script>`,
    );
    await page.goto(site.url);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign out of Latchkey?");
    await expect(page.getByRole("main")).toContainText("Another site asked to sign you out.");
    expect(await nameOf(context, testApp)).toBe("Ada Okafor");
    await page.getByRole("link", { name: "Stay signed in" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Hello, Ada Okafor");
  });

  test("by a link: the person confirms the sign-out", async ({ page, context, testApp }) => {
    site.show(`<a href="${testApp.url}/api/auth/logout">A prize</a>`);
    await page.goto(site.url);
    await page.getByRole("link", { name: "A prize" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign out of Latchkey?");
    expect(await nameOf(context, testApp)).toBe("Ada Okafor");
    await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("You're signed out");
    expect(await nameOf(context, testApp)).toBeUndefined();
  });
});

/** Signs in as far as the callback. Returns its address. */
async function finishSignIn(request: APIRequestContext, testApp: TestApp): Promise<string> {
  const login = await request.get(`${testApp.url}/api/auth/login`);
  const form = { person: "person-ada" };
  let answer = await request.post(login.url(), { form, maxRedirects: 0 });
  for (let step = 0; step < 3; step += 1) {
    const next = answer.headers()["location"] ?? "";
    if (next.startsWith(`${testApp.url}/api/auth/callback`)) return next;
    answer = await request.get(next, { maxRedirects: 0 });
  }
  throw new Error("The provider did not finish the sign-in.");
}

test("a sign-in goes on after the callback of another person was opened in a second tab", async ({
  page,
  context,
  browser,
  testApp,
}) => {
  const attacker = await browser.newContext();
  const callback = await finishSignIn(attacker.request, testApp);
  await attacker.close();
  await page.goto("/sample");
  const second = await context.newPage();
  const answer = await second.goto(callback);
  expect(answer?.status()).toBe(400);
  await page.getByRole("button", { name: "Ben Castellan" }).click();
  await expect(page).toHaveURL(`${testApp.url}/sample`);
  expect(await nameOf(context, testApp)).toBe("Ben Castellan");
});
