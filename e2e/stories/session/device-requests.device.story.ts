/** Requests of every kind in a browser that holds a key for its session. */
import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { type DeviceApp, signInBound, startDeviceApp } from "../../device-app.ts";

const proof = "appSession.device";
const renewed = "POST /api/auth/device 200";

/** Lets the proof expire, and returns what the server sees from then on. */
async function withoutProof(app: DeviceApp, page: Page): Promise<() => readonly string[]> {
  const from = app.requests.length;
  await page.context().clearCookies({ name: proof });
  return () => app.requests.slice(from);
}

test("built files are loaded without a proof, and pages with one [DB-017]", async () => {
  const app = await startDeviceApp({ publicPaths: ["/assets/"] });
  try {
    const [, page] = await signInBound(app);
    app.advance(61);
    const seen = await withoutProof(app, page);
    await page.goto(`${app.url}/assets/app.css`);
    expect(seen().filter((each) => each === renewed)).toEqual([]);
    await page.goto(`${app.url}/page`);
    expect(seen().filter((each) => each === renewed)).toHaveLength(1);
  } finally {
    await app.close();
  }
});

test("a script, a stream and a form wait for the proof [DB-016]", async () => {
  const app = await startDeviceApp();
  try {
    const [, page] = await signInBound(app);
    app.advance(61);
    const ways: Readonly<Record<string, () => Promise<unknown>>> = {
      script: () => page.evaluate(async () => (await fetch("/api/data")).status),
      stream: () =>
        page.evaluate(
          () =>
            new Promise((resolve) => {
              const source = new EventSource("/stream");
              const end = (result: unknown) => (source.close(), resolve(result));
              source.addEventListener("message", () => end(200));
              source.addEventListener("error", () => end("failed"));
            }),
        ),
      form: async () => {
        await page.evaluate(() => {
          const form = document.createElement("form");
          form.method = "post";
          form.action = "/posted";
          document.body.append(form);
          form.submit();
        });
        await page.waitForURL(`${app.url}/posted`);
        return 200;
      },
    };
    for (const [name, send] of Object.entries(ways)) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const seen = await withoutProof(app, page);
      // oxlint-disable-next-line no-await-in-loop -- the same
      expect([name, await send()]).toEqual([name, 200]);
      expect([name, seen().filter((each) => each === renewed).length]).toEqual([name, 1]);
      expect(seen().filter((each) => / (302|401|503)$/.test(each))).toEqual([]);
    }
  } finally {
    await app.close();
  }
});

test("two tabs sign in at once, and then as another user: each session goes on bound [DB-014]", async () => {
  const app = await startDeviceApp({ clockTolerance: 3600 });
  try {
    const context = await app.browser.newContext({ ignoreHTTPSErrors: true });
    const tabs = await Promise.all([context.newPage(), context.newPage()]);
    await Promise.all(tabs.map((tab) => tab.goto(`${app.url}/page`)));
    const button = (tab: Page, name: string) => tab.getByRole("button", { name });
    await Promise.all(tabs.map((tab) => button(tab, "Ada Okafor").click()));
    await Promise.all(tabs.map((tab) => tab.getByRole("heading", { name: "Ada" }).waitFor()));
    const [page, other] = tabs;
    const goesOn = async (name: string) => {
      await page.waitForTimeout(1000);
      await page.goto(`${app.url}/page`);
      app.advance(61);
      const seen = await withoutProof(app, page);
      await Promise.all(tabs.map((tab) => tab.goto(`${app.url}/page`)));
      await expect(other.getByRole("heading")).toHaveText(name);
      await expect(page.getByRole("heading")).toHaveText(name);
      expect(seen().filter((each) => each.startsWith("POST"))).toEqual([renewed]);
    };
    await goesOn("Ada Okafor");
    await page.goto(`${app.url}/api/auth/login?prompt=select_account&returnTo=/page`);
    await button(page, "Ben Castellan").click();
    await page.getByRole("heading", { name: "Ben Castellan" }).waitFor();
    await goesOn("Ben Castellan");
  } finally {
    await app.close();
  }
});
