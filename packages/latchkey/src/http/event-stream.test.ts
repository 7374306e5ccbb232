import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createEventStream, createEventStreams } from "./event-stream.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(lastsMs = 3_600_000) {
  const written: string[] = [];
  const onEnd = vi.fn<() => void>();
  const sink = {
    write: (text: string) => void written.push(text),
    end: () => void written.push("end"),
  };
  return { stream: createEventStream(sink, { retryMs: 1500, lastsMs, onEnd }), written, onEnd };
}

test("a silent stream sends a comment every 20 s, and ends after its time [OP-095]", () => {
  const { written, onEnd } = open(70_000);
  expect(written).toEqual(["retry: 1500\n\n"]);
  vi.advanceTimersByTime(69_999);
  expect(written.slice(1)).toEqual([":\n\n", ":\n\n", ":\n\n"]);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(written.at(-1)).toBe("end");
  expect(onEnd).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("a stream ends once, whatever ends it, and leaves no timer behind", () => {
  const { written, stream, onEnd } = open();
  stream.send("ended");
  stream.end();
  stream.end();
  stream.send("more");
  stream.leave();
  expect(written.slice(1)).toEqual(["data: ended\n\n", "end"]);
  expect(onEnd).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("a stream sends nothing to a client that has left", () => {
  const { written, stream, onEnd } = open();
  stream.leave();
  stream.send("ended");
  stream.end();
  expect(written).toEqual(["retry: 1500\n\n"]);
  expect(onEnd).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("no more streams are open than allowed, and a late one ends like all others", () => {
  const streams = createEventStreams(2);
  const [one, other, third] = [open(), open(), open()];
  streams.add("one", one.stream);
  expect([streams.size(), streams.isFull("other")]).toEqual([1, false]);
  streams.add("other", other.stream);
  expect([streams.size(), streams.isFull("third")]).toEqual([2, true]);
  streams.add("third", third.stream);
  expect([streams.size(), third.written.at(-1)]).toEqual([2, "end"]);
  streams.delete("one", one.stream);
  expect([streams.size(), streams.isFull("third")]).toEqual([1, false]);
  streams.endAll();
  expect(other.onEnd).toHaveBeenCalledTimes(1);
  const late = open();
  expect(streams.isFull("late")).toBe(false);
  streams.add("late", late.stream);
  expect(late.written).toEqual(["retry: 1500\n\n", "end"]);
});

test("a second stream of an owner ends the first, even at the limit [OP-097]", () => {
  const streams = createEventStreams(1);
  const [first, second] = [open(), open()];
  streams.add("one", first.stream);
  expect([streams.isFull("one"), streams.isFull("other")]).toEqual([false, true]);
  streams.add("one", second.stream);
  streams.delete("one", first.stream);
  expect(first.written.slice(1)).toEqual(["retry: 60000\n\n", "end"]);
  expect([streams.size(), second.onEnd.mock.calls]).toEqual([1, []]);
});
