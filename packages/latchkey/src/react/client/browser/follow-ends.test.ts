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
    tab() {
      const tab = { ends: 0 };
      const leave = followEnds({ url: "/events", clock, onEnd: () => void (tab.ends += 1) });
      return Object.assign(tab, { leave });
    },
  };
}

test("one of eight tabs listens, and the next one after it leaves [OP-094]", async () => {
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

test("a tab leaving before its turn never listens", async () => {
  const { clock, streams, tab } = createBrowser();
  const [first, second] = [tab(), tab()];
  second.leave();
  first.leave();
  await clock.advance(0);
  expect(streams).toHaveLength(1);
});

test("the browser reconnects a lost stream; a refused stream is retried in a minute [OP-097]", async () => {
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

test("an ended stream is opened again in a minute", async () => {
  const { clock, last, streams, tab } = createBrowser();
  const here = tab();
  await clock.advance(0);
  say(last());
  expect([here.ends, last()?.isClosed]).toEqual([1, true]);
  await clock.advance(minute);
  expect(streams).toHaveLength(2);
  here.leave();
});

test("a browser without Web Locks opens no stream", () => {
  const { clock, streams } = createBrowser();
  vi.stubGlobal("navigator", {});
  const leave = followEnds({ url: "/events", clock, onEnd: () => {} });
  leave();
  expect(streams).toEqual([]);
});
