import type { Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { createBrowser } from "../../packages/latchkey/test/browser/browser.ts";
import { choosePerson, expectText, sharedChromium, untilHydrated } from "./browser-window.ts";
import { type DevServer, startDevServer } from "./dev-server.ts";
import { expectPage, navigation, script, sessionCookies } from "./expectations.ts";
import { basePathRows } from "./rows/base-path.ts";
import { expectSetup } from "./rows/pages.ts";
import { host } from "./world.ts";

const { authFiles: [authFile = ""] = [], belowShop, devServer } = host;
const { page: pageFile = "", losesMemory } = devServer ?? {};
/** Frameworks compile a page at its first request. */
const compilingMs = 180_000;

/** The page may have been edited while its client was still being loaded. */
async function reloadUntil(page: Page, isSo: () => boolean | Promise<boolean>): Promise<void> {
  await expect
    .poll(
      async () => {
        if (await isSo()) return true;
        await page.reload({ waitUntil: "load" });
        return isSo();
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe(true);
}

/** The client of a dev server may reload the page by itself meanwhile, which aborts ours. */
async function reload(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.reload().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
}

describe(`the dev server of ${host.title}`, () => {
  let server: DevServer;
  const newWindow = sharedChromium();

  beforeAll(async () => {
    server = await startDevServer();
    await createBrowser(server.baseURL).signIn(`${server.baseURL}/private`);
  }, compilingMs);
  afterAll(() => server?.close());

  test("leads a person to the requested page, its query included [AD-001]", async () => {
    const { baseURL } = server;
    const page = await createBrowser(baseURL).signIn(`${baseURL}/private?tab=2`);
    expect(page.url.href).toBe(`${baseURL}/private?tab=2`);
    expectPage(page, "Private page of Ada Okafor");
  });

  test("sends a stranger's browser to login, and refuses a stranger's script [AD-009]", async () => {
    const stranger = createBrowser(server.baseURL);
    const page = await stranger.request("/private?tab=2", { headers: navigation });
    const login = `${server.baseURL}/api/auth/login?returnTo=%2Fprivate%3Ftab%3D2`;
    expect([page.status, page.location]).toEqual([302, login]);
    expect((await stranger.request("/api/me", { headers: script })).status).toBe(401);
  });

  test("renews the session once in a response [AD-016]", async () => {
    const browser = createBrowser(server.baseURL);
    await browser.signIn(`${server.baseURL}/private`);
    const page = await browser.request("/private");
    expectPage(page, "Private page of Ada Okafor");
    expect(sessionCookies(page.headers.getSetCookie())).toHaveLength(1);
  });

  const place = losesMemory === true ? "its cookie" : "memory";

  test(`a session in ${place} survives an edit of a page, and of the file with the sign-in [AD-038]`, async () => {
    const { page } = await newWindow();
    await page.goto(`${server.baseURL}/private`);
    await choosePerson(page);
    await expectText(page, "Private page of Ada Okafor");
    await untilHydrated(page);
    const before = signIns();

    server.edit(pageFile, (text) => text.replace("Private page of", "Edited page of"));
    await reloadUntil(page, () => page.getByText("Edited page of Ada Okafor").isVisible());

    server.edit(authFile, (text) => `${text}\nconsole.log("made again");\n`);
    await reloadUntil(page, () => server.output().includes("made again"));
    await reload(page);
    await expectText(page, "Edited page of Ada Okafor");
    expect(signIns()).toBe(before);
  });

  function signIns(): number {
    return server.provider.requests.filter(({ path: asked }) => asked === "/token").length;
  }
});

describe(`wrong settings on the dev server of ${host.title}`, () => {
  test("are listed for developers by the pages of @latchkey/pages", async () => {
    const environment = { LATCHKEY_SECRET: "short" };
    const server = await startDevServer({ hasPages: true, environment });
    onTestFinished(() => server.close());
    const { baseURL } = server;
    expectSetup(await createBrowser(baseURL).request(baseURL, { headers: navigation }));
  });
});

const describeBelow = belowShop === undefined ? () => undefined : describe;

describeBelow(`an app below a path on ${host.title}`, () => {
  let server: DevServer;

  beforeAll(async () => {
    server = await startDevServer({ basePath: "/shop" });
  }, compilingMs);
  afterAll(() => server?.close());

  basePathRows(() => server.baseURL);
});
