import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createEventStream, createEventStreams } from "./event-stream.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const onEnd = vi.fn<() => void>();
  const stream = createEventStream({ retryMs: 1500, commentEveryMs: 20_000, onEnd });
  const reader = stream.body.getReader();
  const decoder = new TextDecoder();
  const next = async () => {
    const { done, value } = await reader.read();
    return done ? null : decoder.decode(value);
  };
  return { stream, reader, next, onEnd };
}

test("a silent stream says every 20 s that it is alive [OP-095]", async () => {
  const { next, stream } = open();
  expect(await next()).toBe("retry: 1500\n\n");
  for (let minute = 0; minute < 10; minute += 1) {
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await next()).toBe(":\n\n");
  }
  stream.end();
});

test("a stream ends once, whoever ends it, and leaves no timer behind", async () => {
  const { next, stream, onEnd } = open();
  await next();
  stream.send("ended");
  stream.end();
  stream.end();
  stream.send("more");
  expect([await next(), await next()]).toEqual(["data: ended\n\n", null]);
  expect(onEnd).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("a client that leaves ends its stream", async () => {
  const { reader, onEnd } = open();
  await reader.cancel();
  expect(onEnd).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("no more streams are open than allowed, and none once all have ended", () => {
  const onEnd = vi.fn<() => void>();
  const streamOf = () => createEventStream({ retryMs: 1500, commentEveryMs: 20_000, onEnd });
  const streams = createEventStreams(2);
  const [one, other] = [streamOf(), streamOf()];
  streams.add(one);
  expect([streams.size(), streams.isFull()]).toEqual([1, false]);
  streams.add(other);
  expect([streams.size(), streams.isFull()]).toEqual([2, true]);
  streams.delete(one);
  expect([streams.size(), streams.isFull()]).toEqual([1, false]);
  streams.endAll();
  expect(onEnd).toHaveBeenCalledTimes(1);
  expect(streams.isFull()).toBe(true);
});
