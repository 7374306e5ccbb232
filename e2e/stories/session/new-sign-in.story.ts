import type { Page } from "@playwright/test";
import { findAxeFaults } from "../../axe.ts";
import { enter, expect, signInOnDevice, test } from "../../test-app.ts";

const android =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36";
const iPhone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1";

const question = (page: Page) => page.getByRole("complementary", { name: /^New sign-in: / });

/** The form of an answer, as a path. */
async function formOf(page: Page, answer: "Yes" | "No, sign it out"): Promise<string> {
  const button = question(page).getByRole("button", { name: answer });
  return (await button.evaluate((each: HTMLButtonElement) => each.form?.action)) ?? "";
}

const own = { "Sec-Fetch-Site": "same-origin" };

test("a person recognizes a new sign-in on the page that shows it", async ({
  browser,
  testApp,
}) => {
  const laptop = await signInOnDevice(browser, testApp, "Dmitri Lund");
  await laptop.goto("/account");
  await expect(question(laptop)).toHaveCount(0);
  const phone = await signInOnDevice(browser, testApp, "Dmitri Lund", { userAgent: android });
  await phone.goto("/account");
  await expect(question(phone)).toHaveCount(0);

  for (const address of ["/", "/devices", "/sample", "/account/details"]) {
    await laptop.goto(address);
    await expect(question(laptop)).toContainText(
      /^New sign-in: Chrome on Android, today at .*\. Was this you\?/,
    );
  }
  await question(laptop).getByRole("button", { name: "Yes" }).press("Enter");
  await expect(laptop).toHaveURL(`${testApp.url}/account/details`);
  await expect(question(laptop)).toHaveCount(0);
  await phone.goto("/sample");
  await expect(phone.getByRole("heading", { level: 1 })).toHaveText("Sample page");

  await enter(phone.context(), testApp, "Dmitri Lund");
  await laptop.goto("/devices");
  await expect(laptop.getByRole("heading", { level: 1 })).toHaveText("Signed-in devices");
  await expect(question(laptop)).toHaveCount(0);
  await enter(laptop.context(), testApp, "Dmitri Lund");
  await phone.goto("/account");
  await expect(phone.getByRole("heading", { level: 1 })).toHaveText("Your account");
  await expect(question(phone)).toHaveCount(0);
});

test("a person signs an unknown device out without scripts at 320 pixels, and reads what to do next", async ({
  browser,
  testApp,
}) => {
  const still = { javaScriptEnabled: false, viewport: { width: 320, height: 640 } };
  const here = await signInOnDevice(browser, testApp, "Ben Castellan", still);
  const phone = await signInOnDevice(browser, testApp, "Ben Castellan", { userAgent: android });
  await signInOnDevice(browser, testApp, "Ben Castellan", { userAgent: iPhone });
  await here.goto("/account");
  await expect(question(here)).toContainText("New sign-in: Safari on iPhone, today at ");
  for (const button of await question(here).getByRole("button").all()) {
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(48);
  }
  await question(here).getByRole("link", { name: "1 more new sign-in" }).click();
  await expect(here).toHaveURL(`${testApp.url}/devices`);
  await question(here).getByRole("button", { name: "Yes" }).click();
  await expect(question(here)).toContainText("New sign-in: Chrome on Android, today at ");
  await expect(question(here).getByRole("link")).toHaveCount(0);

  await question(here).getByRole("button", { name: "No, sign it out" }).click();
  const said = here.locator("#done");
  await expect(said).toContainText("Chrome on Android is signed out.");
  await expect(said).toContainText("Someone may know your password. Change it at ");
  await expect(question(here)).toHaveCount(0);
  await phone.goto("/");
  await expect(phone.getByRole("heading", { level: 1 })).toHaveText("You've been signed out");
  await said.getByRole("link", { name: "sign out on all devices" }).click();
  await expect(here.getByRole("heading", { level: 1 })).toHaveText("Sign out on all devices?");
});

test("a forged answer ends no sign-in and hides none", async ({ browser, testApp }) => {
  const stranger = await signInOnDevice(browser, testApp, "Ben Castellan");
  await signInOnDevice(browser, testApp, "Ben Castellan", { userAgent: android });
  await stranger.goto("/account");
  const [yes, no] = [await formOf(stranger, "Yes"), await formOf(stranger, "No, sign it out")];

  const page = await signInOnDevice(browser, testApp, "Emi Tanaka");
  const phone = await signInOnDevice(browser, testApp, "Emi Tanaka", { userAgent: android });
  const { request } = page.context();
  const forged = `${testApp.url}/devices/${"%3Cb%3E".repeat(40)}`;
  for (const form of [yes, no, `${forged}/known?from=//evil.example`, `${forged}/unknown`]) {
    const answer = await request.post(form, { headers: own, maxRedirects: 0 });
    expect(answer.status()).toBe(303);
    expect(answer.headers()["location"]).toContain(testApp.url);
  }
  await page.goto("/devices");
  const answered = { yes: await formOf(page, "Yes"), no: await formOf(page, "No, sign it out") };
  const crossSite = { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" };
  for (const form of Object.values(answered)) {
    await request.post(form, { headers: crossSite });
    await page.goto("/account");
    await expect(question(page)).toBeVisible();
  }
  await stranger.goto("/account");
  await expect(question(stranger)).toBeVisible();

  await request.post(answered.no, { headers: own });
  await request.post(answered.no, { headers: own, maxRedirects: 0 });
  await page.goto("/devices#done");
  await expect(page.locator("#done")).toContainText("That sign-in had already ended.");
  await expect(page.locator("#done")).toContainText("Someone may know your password.");
  await phone.goto("/");
  await expect(phone.getByRole("heading", { level: 1 })).toHaveText("You've been signed out");
});

test("the question shows the name of a device as text, and has no accessibility fault", async ({
  browser,
  testApp,
}) => {
  const page = await signInOnDevice(browser, testApp, "Ada Okafor", { bypassCSP: true });
  const phone = await signInOnDevice(browser, testApp, "Ada Okafor", { userAgent: android });
  await phone.goto("/devices");
  await phone
    .getByRole("button", { name: /^Rename/ })
    .first()
    .press("Enter");
  await phone.getByRole("textbox", { name: "Name of this device" }).fill("<b>Küche</b>");
  await phone.keyboard.press("Enter");
  await expect(phone.locator("#done")).toContainText("Saved");
  await page.goto("/account");
  await expect(question(page)).toContainText("New sign-in: \u2068<b>Küche</b>\u2069, today at ");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // A change of colors takes a moment, in which they have no contrast.
    await page.reload();
    expect(await findAxeFaults(page)).toEqual([]);
  }
});
