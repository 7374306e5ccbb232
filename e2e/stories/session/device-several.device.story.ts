/** Several sign-ins and several apps in one browser that binds sessions. */
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { type DeviceApp, signInBound, startDeviceApp } from "../../device-app.ts";

const route = "POST /api/auth/device";

/** Lets the proof expire, and loads a page: who is signed in, and the requests since for proofs. */
async function loadLater(app: DeviceApp, context: BrowserContext, page: Page) {
  const from = app.requests.length;
  app.advance(61);
  const { hostname } = new URL(app.url);
  await context.clearCookies({ name: "appSession.device", domain: hostname });
  await page.goto(`${app.url}/page`);
  const proofs = app.requests.slice(from).filter((each) => each.startsWith(route));
  return [await page.getByRole("heading").textContent(), proofs];
}

const renewedOnce = (name: string) => [name, [`${route} 200`]];
const signedIn = ({ requests }: DeviceApp) =>
  requests.filter((each) => each.includes("/api/auth/callback 30")).length;

test("two tabs that sign in at once have one device session, and no refusal [DB-014]", async () => {
  const app = await startDeviceApp({ clockTolerance: 3600 });
  try {
    const context = await app.browser.newContext({ ignoreHTTPSErrors: true });
    const tabs = await Promise.all([context.newPage(), context.newPage()]);
    await Promise.all(tabs.map((tab) => tab.goto(`${app.url}/page`)));
    const signIn = async (tab: Page) => {
      await tab.getByRole("button", { name: "Ada Okafor" }).click();
      await tab.getByRole("heading", { name: "Ada Okafor" }).waitFor();
    };
    await Promise.all(tabs.map(signIn));
    await expect.poll(() => app.requests.filter((each) => each.startsWith(route))).not.toEqual([]);
    for (const tab of tabs) {
      // oxlint-disable-next-line no-await-in-loop -- one tab after the other
      await tab.goto(`${app.url}/page`);
      // oxlint-disable-next-line no-await-in-loop -- the same
      expect(await loadLater(app, context, tab)).toEqual(renewedOnce("Ada Okafor"));
    }
    const proofs = app.requests.filter((each) => each.startsWith(route));
    expect(new Set(proofs)).toEqual(new Set([`${route} 200`]));
  } finally {
    await app.close();
  }
});

test("a sign-in as another replaces the device session [DB-014]", async () => {
  const app = await startDeviceApp({ clockTolerance: 3600 });
  try {
    const [context, page] = await signInBound(app);
    await context.clearCookies({ name: /^provider_session/ });
    await page.goto(`${app.url}/api/auth/login?returnTo=/page`);
    const other = page.getByRole("button").filter({ hasNotText: "Ada Okafor" }).first();
    await other.click();
    await page.waitForURL(`${app.url}/page`);
    const name = (await page.getByRole("heading").textContent()) ?? "";
    expect(name).not.toBe("Ada Okafor");
    await expect
      .poll(() => app.requests.filter((each) => each === `${route} 200`).length)
      .toBeGreaterThan(1);
    await page.goto(`${app.url}/page`);
    expect(await loadLater(app, context, page)).toEqual(renewedOnce(name));
    expect(await loadLater(app, context, page)).toEqual(renewedOnce(name));
    expect(signedIn(app)).toBe(2);
  } finally {
    await app.close();
  }
});

test("apps at sister hosts with cookies of the same name keep a device session each [DB-010]", async () => {
  const one = await startDeviceApp({ clockTolerance: 3600 }, { host: "one.app.localhost" });
  const other = await startDeviceApp(
    { clockTolerance: 3600 },
    { host: "other.app.localhost", beside: one },
  );
  try {
    const [context, page] = await signInBound(one);
    const [, second] = await signInBound(other, context);
    expect(await loadLater(one, context, page)).toEqual(renewedOnce("Ada Okafor"));
    expect(await loadLater(other, context, second)).toEqual(renewedOnce("Ada Okafor"));
    const namesAt = async ({ url }: DeviceApp) =>
      (await context.cookies(url)).filter((each) => each.name === "appSession.device").length;
    expect([await namesAt(one), await namesAt(other)]).toEqual([1, 1]);
    expect([signedIn(one), signedIn(other)]).toEqual([1, 1]);
  } finally {
    await other.close();
    await one.close();
  }
});
