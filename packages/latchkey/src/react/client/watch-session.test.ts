import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Message } from "./browser/channel.ts";
import type { Page, PageEvent } from "./browser/page.ts";
import { type WatchedSession, watchSession } from "./watch-session.ts";
import { createClock, type TestClock } from "../support/clock.support.ts";
import { ada, createServer, grace, type TestServer } from "../support/server.support.ts";

const minute = 60_000;

let clock: TestClock;
let server: TestServer;
beforeEach(() => {
  vi.stubGlobal("location", { hash: "" });
  clock = createClock();
  server = createServer(clock);
  server.signIn(ada);
});
afterEach(() => vi.unstubAllGlobals());

function openPage() {
  const seen: WatchedSession[] = [];
  const posted: Message[] = [];
  const calls: string[] = [];
  let emit: (event: PageEvent) => void = () => undefined;
  let receive: (message: Message) => void = () => undefined;
  const tab = { visible: true };
  const page: Page = {
    isVisible: () => tab.visible,
    subscribe: (onEvent) => {
      emit = onEvent;
      return () => undefined;
    },
    hidePage: (hidden) => void calls.push(hidden ? "hide" : "show"),
    reload: () => void calls.push("reload"),
    assign: () => undefined,
    post: () => undefined,
  };
  const initialSession = server.initialSession();
  if (!("now" in initialSession)) throw new Error("The server tells its clock.");
  const watch = watchSession(
    {
      paths: { session: "/_auth/session.json", events: "/_auth/session-events" },
      initialSession,
      fetch: server.fetch,
      clock,
      page,
      openChannel: (_name, onMessage) => {
        receive = onMessage;
        return { post: (message) => void posted.push(message), close: () => undefined };
      },
    },
    (session) => void seen.push(session),
  );
  const last = () => seen.at(-1);
  return {
    watch,
    last,
    posted,
    calls,
    tab,
    emit: (it: PageEvent) => emit(it),
    receive: (it: Message) => receive(it),
  };
}

test("a watched session needs no attention for hours, and is asked for once a minute", async () => {
  const { last } = openPage();
  expect(last()?.needsAttention).toBe(false);
  await clock.advance(10 * minute);
  expect(server.requests.length).toBeGreaterThanOrEqual(9);
  expect(server.requests.length).toBeLessThanOrEqual(11);
  expect(server.requests.every((path) => path === "/_auth/session.json")).toBe(true);
  expect(last()?.needsAttention).toBe(false);
});

test("a hidden page asks nothing", async () => {
  const { tab } = openPage();
  tab.visible = false;
  await clock.advance(60 * minute);
  expect(server.requests).toEqual([]);
});

test("attention is needed half a minute before the warning", async () => {
  server.rolling = 3600;
  const { last } = openPage();
  await clock.advance((3600 - 300 - 60) * 1000);
  expect(last()?.needsAttention).toBe(false);
  await clock.advance(35_000);
  expect(last()?.needsAttention).toBe(true);
});

test("attention is needed after a sleep past the end, before the server has responded", async () => {
  server.rolling = 3600;
  const { last } = openPage();
  clock.jump(2 * 60 * minute);
  server.override = () => "offline";
  await clock.advance(5_000);
  expect(last()?.needsAttention).toBe(true);
});

test.each([
  ["the session has ended elsewhere", () => server.session && (server.session.ended = "elsewhere")],
  ["nobody is signed in any more", () => (server.session = null)],
  ["another person is signed in", () => server.signIn(grace)],
])("attention is needed when the person comes to the tab and %s", async (_what, change) => {
  const { last, emit } = openPage();
  await clock.advance(2_000);
  change();
  emit("active");
  await clock.advance(10);
  expect(last()?.needsAttention).toBe(true);
});

test("an end right after the page was loaded is told, a second later at the most", async () => {
  const { last, emit } = openPage();
  await clock.advance(100);
  server.session = null;
  emit("active");
  emit("active");
  await clock.advance(1_100);
  expect(last()?.needsAttention).toBe(true);
  expect(server.requests).toHaveLength(1);
});

test("a response that comes after that to a later request changes nothing", async () => {
  const { last, watch } = openPage();
  const signedIn = await server.fetch("/_auth/session.json");
  await clock.advance(2_000);
  server.latencyMs = 5_000;
  server.override = () => signedIn;
  const first = watch.refetch();
  await clock.advance(1_000);
  server.latencyMs = 0;
  server.override = undefined;
  server.session = null;
  await watch.refetch();
  await clock.advance(5_000);
  await first;
  expect(last()?.needsAttention).toBe(true);
});

test("a response that comes after a sleep, to a request from before it, leaves the clock of the page right", async () => {
  const { last, watch } = openPage();
  const signedIn = await server.fetch("/_auth/session.json");
  server.latencyMs = 100;
  server.override = () => signedIn;
  const refetching = watch.refetch();
  clock.jump(2 * 60 * minute);
  await clock.advance(200);
  await refetching;
  expect(Math.abs((last()?.now ?? 0) - server.now())).toBeLessThan(2);
});

test("times that were extended in another tab are told, and need no attention", async () => {
  const { last, emit } = openPage();
  await clock.advance(30_000);
  server.use();
  emit("active");
  await clock.advance(10);
  expect(last()?.times.rollingEndsAt).toBe(server.now() + 86_400);
  expect(last()?.needsAttention).toBe(false);
});

test("a server that cannot be asked makes the times stale, and nothing else", async () => {
  const { last, watch } = openPage();
  const at = server.now();
  server.override = () => new Response("oops", { status: 500 });
  await clock.advance(61_000);
  expect(last()).toMatchObject({ staleSince: at, needsAttention: false });
  await clock.advance(10 * minute);
  expect(server.requests.length).toBeLessThan(20);
  server.override = undefined;
  const reached = watch.refetch();
  await clock.advance(10);
  expect(await reached).toBe(true);
  expect(last()?.staleSince).toBeNull();
});

test("a sign-out in another tab is looked for after a second", async () => {
  const { last, receive } = openPage();
  server.session = null;
  receive({ knownUser: { sub: null, absoluteEndsAt: null } });
  await clock.advance(1_100);
  expect(last()?.needsAttention).toBe(true);
});

test("other tabs are told who is signed in here, and that they sign out", () => {
  const { watch, posted } = openPage();
  watch.announceSignOut();
  expect(posted).toEqual([
    { knownUser: { sub: "ada", absoluteEndsAt: server.now() + 604_800 } },
    { knownUser: { sub: null, absoluteEndsAt: null } },
  ]);
});

test("out of the back/forward cache a page is shown for the same person, and loaded again for another", async () => {
  const { calls, emit } = openPage();
  emit("cached");
  emit("restored");
  await clock.advance(10);
  expect(calls).toEqual(["hide", "show"]);
  server.signIn(grace);
  emit("cached");
  emit("restored");
  await clock.advance(10);
  expect(calls).toEqual(["hide", "show", "hide", "reload"]);
});

test("a tab that was opened to sign in again has something to say", () => {
  vi.stubGlobal("location", { hash: "#lk-signed-in" });
  expect(openPage().last()?.needsAttention).toBe(true);
});
