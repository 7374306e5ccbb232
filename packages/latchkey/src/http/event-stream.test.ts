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

test("a silent stream says every 20 s that it is alive, and ends by itself after its time [OP-095]", () => {
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

test("a stream ends once, whoever ends it, and leaves no timer behind", () => {
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

test("to a client that has left nothing is sent any more", () => {
  const { written, stream, onEnd } = open();
  stream.leave();
  stream.send("ended");
  stream.end();
  expect(written).toEqual(["retry: 1500\n\n"]);
  expect(onEnd).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("no more streams are open than allowed, and none once all have ended", () => {
  const streams = createEventStreams(2);
  const [one, other, third] = [open(), open(), open()];
  streams.add(one.stream);
  expect([streams.size(), streams.isFull()]).toEqual([1, false]);
  streams.add(other.stream);
  expect([streams.size(), streams.isFull()]).toEqual([2, true]);
  streams.add(third.stream);
  expect([streams.size(), third.written.at(-1)]).toEqual([2, "end"]);
  streams.delete(one.stream);
  expect([streams.size(), streams.isFull()]).toEqual([1, false]);
  streams.endAll();
  expect(other.onEnd).toHaveBeenCalledTimes(1);
  expect(streams.isFull()).toBe(true);
  const late = open();
  streams.add(late.stream);
  expect(late.written.at(-1)).toBe("end");
});
