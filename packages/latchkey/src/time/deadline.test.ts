import { describe, expect, onTestFinished, test, vi } from "vitest";

import { callAt, withDeadline } from "./deadline.ts";

const late = () => "late";

/** Keeps the event loop busy: nothing is read or sent meanwhile. */
function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

test("work that needs a few turns of the event loop is in time, also where each turn takes longer than the deadline", async () => {
  async function workInTurns(): Promise<string> {
    for (let turns = 0; turns < 3; turns += 1) {
      await new Promise(setImmediate);
      block(60);
    }
    return "done";
  }
  expect(await withDeadline(50, workInTurns(), late)).toBe("done");
});

test("work that never ends is late", async () => {
  expect(await withDeadline(50, new Promise(() => undefined), late)).toBe("late");
});

describe("a call at a moment", () => {
  function startCall(seconds: number) {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const listener = vi.fn<() => void>();
    const stop = callAt(() => 10_000, seconds, listener);
    return { listener, stop };
  }

  test("comes at this second, by the given clock", () => {
    const { listener } = startCall(12);
    vi.advanceTimersByTime(1999);
    expect(listener).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(listener).toHaveBeenCalledOnce();
  });

  test("comes immediately if the moment has passed", () => {
    const { listener } = startCall(9);
    vi.advanceTimersByTime(0);
    expect(listener).toHaveBeenCalledOnce();
  });

  test("comes after 24 days if the moment is further away than timers count", () => {
    const day = 86_400;
    const { listener } = startCall(90 * day);
    vi.advanceTimersByTime(24 * day * 1000);
    expect(listener).not.toHaveBeenCalled();
    vi.advanceTimersByTime(day * 1000);
    expect(listener).toHaveBeenCalledOnce();
  });

  test("does not come once it is stopped", () => {
    const { listener, stop } = startCall(12);
    stop();
    vi.advanceTimersByTime(10_000);
    expect(listener).not.toHaveBeenCalled();
  });
});
