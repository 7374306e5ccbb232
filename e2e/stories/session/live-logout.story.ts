import type { BrowserContext, Page } from "@playwright/test";

import { enter, expect, test } from "../../test-app.ts";
import { startTimedTestApp, type TimedTestApp } from "../../timed-test-app.ts";

let testApp: TimedTestApp;
test.beforeAll(async () => {
  testApp = await startTimedTestApp({
    LATCHKEY_STREAMS: "10",
    // A page connects again within five seconds.
    LATCHKEY_DRAIN_DELAY: "6",
    LATCHKEY_DRAIN_LIMIT: "30",
  });
});
test.afterAll(() => testApp.close());

async function openAccount(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${testApp.url}/account`);
  await expect(page.locator("body[data-watched]")).toBeAttached();
  return page;
}

/** Returns a function to count the tabs with a stream. */
function streamsOf(pages: readonly Page[]): () => number {
  const open = new Set<string>();
  for (const page of pages) {
    page.on("request", (request) => {
      if (request.url().endsWith("/session-events")) open.add(`${pages.indexOf(page)}`);
    });
  }
  return () => open.size;
}

const ended = { name: "You've been signed out" };

test("every tab of a browser shows the end of the session, over one connection [OP-093, OP-094]", async ({
  context,
}) => {
  await enter(context, testApp, "Clara Nowak");
  const blank = await Promise.all(Array.from({ length: 8 }, () => context.newPage()));
  const streams = streamsOf(blank);
  for (const page of blank) {
    await page.goto(`${testApp.url}/account`);
    await expect(page.locator("body[data-watched]")).toBeAttached();
  }
  await expect.poll(streams).toBe(1);
  await testApp.provider.endSessions("person-clara");
  // Without the stream, the tabs would check in a minute.
  await Promise.all(blank.map((page) => expect(page.getByRole("dialog", ended)).toBeAttached()));
});

test("another tab listens when the listening tab is closed [OP-094]", async ({ context }) => {
  await enter(context, testApp, "Ben Castellan");
  const first = await openAccount(context);
  const second = await context.newPage();
  const listens = second.waitForRequest((request) => request.url().endsWith("/session-events"));
  await second.goto(`${testApp.url}/account`);
  await first.close();
  await listens;
  await testApp.provider.endSessions("person-ben");
  await expect(second.getByRole("dialog", ended)).toBeVisible();
});

test("a page listens to the new instance within seconds of a deploy", async ({ context }) => {
  await enter(context, testApp, "Ada Okafor");
  const page = await context.newPage();
  const isStream = (message: { url(): string }) => message.url().endsWith("/session-events");
  const opened = page.waitForResponse(isStream);
  await page.goto(`${testApp.url}/account`);
  await opened;
  // The page connects again to the old instance, which still listens.
  const sentOn = page.waitForResponse(isStream);
  await testApp.restartApp();
  expect((await sentOn).status()).toBe(200);
  await testApp.provider.endSessions("person-ada");
  // Without the stream, the page would check in a minute.
  await expect(page.getByRole("dialog", ended)).toBeVisible();
});
