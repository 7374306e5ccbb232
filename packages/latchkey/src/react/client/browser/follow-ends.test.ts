import { afterEach, expect, test, vi } from "vitest";

import { createClock } from "../../support/clock.support.ts";
import { followEnds } from "./follow-ends.ts";

const minute = 60_000;
afterEach(() => vi.unstubAllGlobals());

type Stream = EventTarget & { readyState: number; isClosed: boolean; close(): void };

const say = (stream: Stream | undefined) => stream?.dispatchEvent(new Event("message"));
const fail = (stream: Stream | undefined, readyState: number) => {
  Object.assign(stream ?? {}, { readyState });
  stream?.dispatchEvent(new Event("error"));
};

/** One browser: a lock that the first tab holds, and a server whose streams are driven by hand. */
function createBrowser() {
  const clock = createClock();
  const waiting: { readonly signal: AbortSignal; readonly run: () => Promise<void> }[] = [];
  const streams: Stream[] = [];
  let isHeld = false;

  async function grant(): Promise<void> {
    const next = waiting.shift();
    if (next === undefined || isHeld) return;
    if (next.signal.aborted) return grant();
    isHeld = true;
    await next.run();
    isHeld = false;
    await grant();
  }

  const locks = {
    request: async (
      _name: string,
      { signal }: { readonly signal: AbortSignal },
      run: () => Promise<void>,
    ) => {
      waiting.push({ signal, run });
      if (!isHeld) await grant();
    },
  };
  vi.stubGlobal("navigator", { locks });
  vi.stubGlobal("EventSource", function open(): Stream {
    const stream: Stream = Object.assign(new EventTarget(), {
      readyState: 1,
      isClosed: false,
      close: () => void (stream.isClosed = true),
    });
    streams.push(stream);
    return stream;
  });
  return {
    clock,
    streams,
    last: () => streams.at(-1),
    tab(isSignedIn = true) {
      const tab = { isWanted: isSignedIn, ends: 0 };
      const onEnd = () => void (tab.ends += 1);
      const isWanted = () => tab.isWanted;
      const leave = followEnds({ url: "/events", clock, isWanted, onEnd });
      return Object.assign(tab, { leave });
    },
  };
}

test("of eight tabs one listens, and another one when that has gone [OP-094]", async () => {
  const { clock, streams, tab } = createBrowser();
  const tabs = Array.from({ length: 8 }, () => tab());
  await clock.advance(0);
  expect(streams).toHaveLength(1);
  tabs[0]?.leave();
  await clock.advance(0);
  expect(streams.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  say(streams[1]);
  expect(tabs.map(({ ends }) => ends)).toEqual([0, 1, 0, 0, 0, 0, 0, 0]);
  for (const { leave } of tabs) leave();
});

test("a tab that leaves before it has led never listens", async () => {
  const { clock, streams, tab } = createBrowser();
  const [first, second] = [tab(), tab()];
  second.leave();
  first.leave();
  await clock.advance(0);
  expect(streams).toHaveLength(1);
});

test("a lost connection is left to the browser; a refused one is tried again in a minute [OP-097]", async () => {
  const { clock, last, streams, tab } = createBrowser();
  const { leave, ...state } = tab();
  await clock.advance(0);
  fail(last(), 0);
  expect([streams.length, last()?.isClosed, state.ends]).toEqual([1, false, 0]);
  fail(last(), 2);
  expect(last()?.isClosed).toBe(true);
  await clock.advance(minute);
  expect(streams).toHaveLength(2);
  leave();
});

test("where nobody is signed in nothing is listened to, until somebody is", async () => {
  const { clock, streams, tab } = createBrowser();
  const here = tab();
  await clock.advance(0);
  here.isWanted = false;
  say(streams[0]);
  await clock.advance(5 * minute);
  expect([streams.length, here.ends]).toEqual([1, 1]);
  here.isWanted = true;
  await clock.advance(minute);
  expect(streams).toHaveLength(2);
  here.leave();
});

test("a page that learns only after it has loaded who is signed in listens within a second", async () => {
  const { clock, streams, tab } = createBrowser();
  const here = tab(false);
  await clock.advance(0);
  expect(streams).toEqual([]);
  here.isWanted = true;
  await clock.advance(1_000);
  expect(streams).toHaveLength(1);
  here.leave();
});

test("a browser without Web Locks listens to nothing", () => {
  const { clock, streams } = createBrowser();
  vi.stubGlobal("navigator", {});
  const leave = followEnds({ url: "/events", clock, isWanted: () => true, onEnd: () => {} });
  leave();
  expect(streams).toEqual([]);
});
