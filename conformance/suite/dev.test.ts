import type { Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createBrowser } from "../../packages/latchkey/test/browser/browser.ts";
import { choosePerson, expectText, sharedChromium, untilHydrated } from "./browser-window.ts";
import { type DevServer, startDevServer } from "./dev-server.ts";
import { basePathRows } from "./rows/base-path.ts";
import { host } from "./world.ts";

const { belowShop, devServer: { page: pageFile = "", auth: authFile = "" } = {} } = host;
/** Frameworks compile a page when it is first asked for. */
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

  test("a session in memory survives an edit of a page, and of the file that makes the sign-in [AD-038]", async () => {
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

const describeBelow = belowShop === undefined ? () => undefined : describe;

describeBelow(`an app below a path on ${host.title}`, () => {
  let server: DevServer;

  beforeAll(async () => {
    server = await startDevServer("/shop");
  }, compilingMs);
  afterAll(() => server?.close());

  basePathRows(() => server.baseURL);
});
