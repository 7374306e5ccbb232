import type { BrowserContext, Locator, Page } from "@playwright/test";
import { waitForWatch } from "../../hydration.ts";
import { enter, expect, test } from "../../test-app.ts";
import { startTimedTestApp } from "../../timed-test-app.ts";
import type { TimedTestApp } from "../../timed-test-app.ts";

/** Seconds, shorter than the lifetime of an ID token. */
const rolling = 900;
const absolute = 2700;

let testApp: TimedTestApp;
test.beforeAll(async () => {
  testApp = await startTimedTestApp({
    LATCHKEY_SESSION_ROLLING_DURATION: String(rolling),
    LATCHKEY_SESSION_ABSOLUTE_DURATION: String(absolute),
    // The provider uses the clock of the machine.
    LATCHKEY_CLOCK_TOLERANCE: "3600",
  });
});
test.afterAll(() => testApp.close());
test.beforeEach(() => testApp.resetClock());

/** Opens the account page in a tab with a controlled clock. */
async function openAccount(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${testApp.url}/account`);
  await waitForWatch(page);
  return page;
}

async function rollingEnd(context: BrowserContext): Promise<number> {
  return Number((await endsOf(context)).rollingEndsAt);
}

async function endsOf(context: BrowserContext) {
  const peek = await context.request.get(`${testApp.url}/_auth/session.json`);
  return peek.json();
}

function warning(page: Page): Locator {
  return page.getByRole("dialog", { name: "Still there?" });
}

function focusPage(page: Page): Promise<void> {
  return page.evaluate(() => void dispatchEvent(new Event("focus")));
}

/** Expects the page behind the notice to be covered and out of reach. */
async function expectPrivateIsHidden(page: Page): Promise<void> {
  const notice = page.getByRole("dialog");
  const cover = await notice.evaluate(
    (dialog) => getComputedStyle(dialog, "::backdrop").backgroundColor,
  );
  // Without an alpha channel: nothing shines through.
  expect(cover).toMatch(/^rgb\(/);
  const reached = await page.evaluate(() => {
    const behind = document.querySelector("main")?.getBoundingClientRect();
    return document.elementFromPoint((behind?.x ?? 0) + 5, (behind?.y ?? 0) + 5)?.tagName;
  });
  expect(reached).toBe("DIALOG");
}

test("a warning appears two minutes before the end, and one key extends the session [ux 22]", async ({
  context,
}) => {
  await enter(context, testApp, "Ada Okafor");
  const page = await openAccount(context);
  const before = await rollingEnd(context);
  await testApp.pass(rolling - 160, page);
  await expect(warning(page)).toHaveCount(0);
  await testApp.pass(42, page);
  await expect(warning(page)).toContainText("2 minutes");
  await expect(page.getByRole("button", { name: "Stay signed in" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(warning(page)).toHaveCount(0);
  await expect(
    page.getByRole("status").filter({ hasText: "You're still signed in." }),
  ).toBeVisible();
  expect(await rollingEnd(context)).toBeGreaterThan(before + 600);

  await testApp.pass(rolling - 100, page);
  await expect(warning(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(warning(page)).toHaveCount(0);
});

test("an extension in one tab closes the warning in the other [ux 22]", async ({ context }) => {
  await enter(context, testApp, "Ada Okafor");
  const [one, other] = [await openAccount(context), await openAccount(context)];
  await testApp.pass(rolling - 115, one, other);
  await expect(warning(one)).toBeVisible();
  await expect(warning(other)).toBeVisible();
  await one.getByRole("button", { name: "Stay signed in" }).click();
  await expect(warning(other)).toHaveCount(0);
  await expect(warning(one)).toHaveCount(0);
});

test("four tabs that extend the session in the same moment send one request [OP-017]", async ({
  context,
}) => {
  await enter(context, testApp, "Ada Okafor");
  const tabs: Page[] = [];
  for (let count = 0; count < 4; count += 1) tabs.push(await openAccount(context));
  await testApp.pass(rolling - 115, ...tabs);
  for (const tab of tabs) await expect(warning(tab)).toBeVisible();
  let requests = 0;
  const everyTabIsClicked = Promise.withResolvers<void>();
  await context.route("**/api/auth/me", async (route) => {
    requests += 1;
    await everyTabIsClicked.promise;
    await route.continue();
  });
  const stay = (tab: Page) => tab.getByRole("button", { name: "Stay signed in" });
  await Promise.all(tabs.map((tab) => stay(tab).evaluate((button: HTMLElement) => button.click())));
  everyTabIsClicked.resolve();
  for (const tab of tabs) await expect(warning(tab)).toHaveCount(0);
  expect(requests).toBe(1);
  await context.unroute("**/api/auth/me");
});

test("the countdown does not extend the session [ux 24]", async ({ context }) => {
  await enter(context, testApp, "Ada Okafor");
  const page = await openAccount(context);
  const end = await rollingEnd(context);
  // Time passes meanwhile, too: a slow machine has 50 s left.
  for (const seconds of [rolling - 110, 20, 20, 20]) {
    await testApp.pass(seconds, page);
    await expect(warning(page)).toBeVisible();
    expect(await rollingEnd(context)).toBe(end);
  }
  await testApp.pass(55, page);
  await expect(page.getByRole("dialog", { name: "You've been signed out" })).toContainText(
    "You weren't active for 15 minutes",
  );
  await expectPrivateIsHidden(page);
});

test("a page reports the end of the session immediately after sleep, and continues in place after a new sign-in", async ({
  context,
}) => {
  await enter(context, testApp, "Ada Okafor");
  const page = await openAccount(context);
  await page.getByText("All details").click();
  await testApp.pass(rolling + 400, page);
  await context.clearCookies({ name: /^appSession/ });
  await focusPage(page);
  const notice = page.getByRole("dialog", { name: "You've been signed out" });
  await expect(notice).toContainText("You weren't active");
  await expect(page.getByText(/\b0 seconds/)).toHaveCount(0);
  await expectPrivateIsHidden(page);

  const opened = context.waitForEvent("page");
  await notice.getByRole("link", { name: "Sign in again in a new tab and keep this page" }).click();
  const second = await opened;
  const done = "You're signed in. Close this tab and carry on where you were.";
  await expect(second.getByRole("status").filter({ hasText: done })).toBeVisible();
  await expect(second).toHaveURL(`${testApp.url}/account/details`);
  await expect(notice).toHaveCount(0);
  await expect(page.getByText("email_verified")).toBeVisible();
});

test("a page announces the absolute end, and keeps its state through a new sign-in [S6]", async ({
  context,
}) => {
  await enter(context, testApp, "Ada Okafor");
  const page = await openAccount(context);
  for (let step = 0; step < 3; step += 1) {
    await testApp.pass(700, page);
    await context.request.get(`${testApp.url}/api/auth/me`);
    // Wait for the new end: an earlier request may still bring the former one.
    const { endsAt } = await endsOf(context);
    const shown = page.getByRole("complementary").locator("time").first();
    await expect
      .poll(async () => {
        await focusPage(page);
        return shown.getAttribute("datetime");
      })
      .toBe(new Date(endsAt * 1000).toISOString());
  }
  await testApp.pass(20, page);
  const announced = page.getByRole("dialog", { name: "You'll need to sign in again soon" });
  // Up to a minute may have passed since the sign-in on a busy machine.
  await expect(announced).toContainText(/\b(10|9|8) minutes/);
  const opened = context.waitForEvent("page");
  // The message disappears after five seconds in a visible tab, so wait for it from now on.
  const until = page.getByRole("status").filter({ hasText: "You're signed in until" }).waitFor();
  await announced
    .getByRole("link", { name: "Sign in again in a new tab and keep this page" })
    .click();
  const done = { hasText: "You're signed in." };
  await expect((await opened).getByRole("status").filter(done)).toBeVisible();
  await expect(announced).toHaveCount(0);
  await until;
});

test("a page reports a sign-out elsewhere immediately on focus, and within a minute without it [ux 23]", async ({
  context,
  browser,
}) => {
  const otherDevice = await browser.newContext();
  await enter(context, testApp, "Clara Nowak");
  await enter(otherDevice, testApp, "Clara Nowak");
  const [watched, left] = [await openAccount(context), await openAccount(otherDevice)];
  const deliveries = await testApp.provider.endSessions("person-clara");
  expect(deliveries.map(({ status }) => status)).toEqual([204, 204]);
  const ended = { name: "You've been signed out" };
  await testApp.pass(2, watched, left);
  await focusPage(watched);
  await expect(watched.getByRole("dialog", ended)).toContainText("signed out from another device", {
    // Without focus, the page checks once a minute.
    timeout: 20_000,
  });
  await expectPrivateIsHidden(watched);
  await expect(left.getByRole("dialog")).toHaveCount(0);
  await testApp.pass(58, left);
  await expect(left.getByRole("dialog", ended)).toContainText("signed out from another device");
  await otherDevice.close();
});

test("a sign-out in one tab appears in the others, which confirm it", async ({ context }) => {
  await enter(context, testApp, "Ada Okafor");
  const [one, other] = [await openAccount(context), await openAccount(context)];
  await one.getByRole("main").getByRole("button", { name: "Sign out" }).click();
  await expect(one.getByRole("heading", { level: 1 })).toHaveText("You're signed out");
  await testApp.pass(2, other);
  await expect(other.getByRole("dialog", { name: "You're signed out" })).toBeVisible();
  await expectPrivateIsHidden(other);
  const confirmed = one.getByRole("list", { name: "What is signed out" }).getByRole("listitem");
  await expect(confirmed).toHaveText([
    "This browserSigned out",
    "Other tabsSigned out",
    "At the local test providerSigned out",
    "Copies of this sign-inNo longer work",
  ]);
});

test("a lost network or a failing server does not sign the person out", async ({ context }) => {
  await enter(context, testApp, "Ada Okafor");
  const page = await openAccount(context);
  await context.setOffline(true);
  const said = page.getByRole("status");
  await expect(said.filter({ hasText: "You're offline." })).toBeVisible();
  await testApp.pass(200, page);
  await expect(page.getByText("We couldn't refresh these details.")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await context.setOffline(false);
  await expect(said.filter({ hasText: "Back online." })).toBeVisible();

  await page.route("**/_auth/session.json", (route) => route.fulfill({ status: 500 }));
  await testApp.pass(61, page);
  await expect(page.getByText("We couldn't refresh these details.")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
