import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestBrowser, type TestBrowser, type TestPage } from "../support/browser.support.ts";
import { ada, grace } from "../support/server.support.ts";
import { type WatchedSession, watchSession } from "./watch-session.ts";

const minute = 60_000;

let browser: TestBrowser;
beforeEach(() => {
  vi.stubGlobal("location", { hash: "" });
  browser = createTestBrowser();
  browser.server.signIn(ada);
});
afterEach(() => vi.unstubAllGlobals());

function openPage() {
  const initialSession = browser.server.initialSession();
  if (!("now" in initialSession)) throw new Error("The server sends its clock.");
  const options = browser.tabOptions();
  const page: TestPage = options.page;
  const paths = { session: "/_auth/session.json", events: "/_auth/session-events" };
  let last: WatchedSession | undefined;
  const watch = watchSession({ ...options, paths, initialSession }, (session) => (last = session));
  return { watch, page, last: () => last };
}

test("a watched session needs no attention for hours, and only its times are requested", async () => {
  const { last } = openPage();
  expect(last()?.needsAttention).toBe(false);
  await browser.clock.advance(10 * minute);
  expect(new Set(browser.server.requests)).toEqual(new Set(["/_auth/session.json"]));
  expect(last()).toMatchObject({ needsAttention: false, staleSince: null });
});

test("a watched session needs attention half a minute before its warning", async () => {
  browser.server.rolling = 3600;
  const { last } = openPage();
  await browser.clock.advance((3600 - 300 - 60) * 1000);
  expect(last()?.needsAttention).toBe(false);
  await browser.clock.advance(35_000);
  expect(last()?.needsAttention).toBe(true);
});

test("a device waking up after the end needs attention before the server responds", async () => {
  browser.server.rolling = 3600;
  const { last } = openPage();
  browser.clock.jump(2 * 60 * minute);
  browser.server.override = () => "offline";
  await browser.clock.advance(5_000);
  expect(last()?.needsAttention).toBe(true);
});

test.each([
  [
    "its session has ended elsewhere",
    () => browser.server.session && (browser.server.session.ended = "elsewhere"),
  ],
  ["its user has signed out", () => (browser.server.session = null)],
  ["another user has signed in", () => browser.server.signIn(grace)],
])("a page needs attention after %s", async (_what, change) => {
  const { last, page } = openPage();
  await browser.clock.advance(2_000);
  change();
  page.emit("active");
  await browser.clock.advance(10);
  expect(last()?.needsAttention).toBe(true);
});

test("a page shows the times of a session extended in another tab", async () => {
  const { last, page } = openPage();
  await browser.clock.advance(30_000);
  browser.server.use();
  page.emit("active");
  await browser.clock.advance(10);
  const now = browser.server.now();
  expect(last()?.times).toEqual({
    createdAt: now - 30,
    updatedAt: now,
    rollingEndsAt: now + 86_400,
    absoluteEndsAt: now - 30 + 604_800,
    endsAt: now + 86_400,
  });
  expect(last()?.needsAttention).toBe(false);
});

test("a page reports since when it could not reach the server", async () => {
  const { last, watch } = openPage();
  const at = browser.server.now();
  browser.server.override = () => new Response("oops", { status: 500 });
  await browser.clock.advance(61_000);
  expect(last()).toMatchObject({ staleSince: at, needsAttention: false });
  browser.server.override = undefined;
  expect(await watch.refetch()).toBe(true);
  expect(last()?.staleSince).toBeNull();
});

test("a sign-out in one page reaches another", async () => {
  const [leaving, staying] = [openPage(), openPage()];
  browser.server.session = null;
  leaving.watch.announceSignOut();
  await browser.clock.advance(1_500);
  expect(staying.last()?.needsAttention).toBe(true);
});

test("a tab opened to sign in again needs attention", () => {
  vi.stubGlobal("location", { hash: "#lk-signed-in" });
  expect(openPage().last()?.needsAttention).toBe(true);
});
