import { expect, onTestFinished, test, vi } from "vitest";

import { createBackground } from "../../time/background.ts";
import type { LogEvent } from "../../telemetry/log-event.ts";
import { createPendingEnds } from "./pending-ends.ts";

function world(fraction = 0.01) {
  const events: LogEvent[] = [];
  let now = 1_000_000;
  let isDown = true;
  const told: string[] = [];
  const background = createBackground();
  const pending = createPendingEnds({
    background,
    log: (event) => events.push(event),
    clock: () => now,
    fraction: () => fraction,
  });
  const add = (session: string, until = 5000) =>
    pending.add({
      session,
      until,
      async write() {
        if (isDown) throw new Error("the store is down");
        told.push(session);
      },
    });
  return {
    pending,
    settled: (ms: number) => background.close(ms),
    add,
    told,
    events,
    advance: (ms: number) => void (now += ms),
    answer: () => void (isDown = false),
  };
}

test("a failed write is repeated until it succeeds, and logged once [OP-023]", async () => {
  const { pending, settled, add, told, events, advance, answer } = world();
  expect(add("one")).toBe(true);
  expect(add("other")).toBe(true);
  expect(await settled(30)).toEqual(["sign-outs not yet in the store"]);
  expect([pending.size(), pending.has("one"), told]).toEqual([2, true, []]);
  advance(60_000);
  answer();
  await settled(1000);
  expect([pending.size(), pending.has("one"), told]).toEqual([0, false, ["one", "other"]]);
  expect(events).toEqual(
    ["one", "other"].map((session) => ({
      event: "sign-out-completed",
      reason: "logout",
      session,
      pendingMs: 60_000,
    })),
  );
});

test("later sign-outs are written, too", async () => {
  const { settled, add, told, answer } = world();
  answer();
  add("one");
  await settled(1000);
  add("other");
  await settled(1000);
  expect(told).toEqual(["one", "other"]);
});

test("fifty sign-outs the store goes on refusing hold up no other", async () => {
  const { pending, settled, add, told, answer } = world();
  answer();
  async function write(): Promise<void> {
    throw new Error("the store refuses this one");
  }
  for (let number = 0; number < 50; number += 1) {
    pending.add({ session: `refused-${number}`, until: 5000, write });
  }
  add("other");
  await settled(100);
  expect([told, pending.size()]).toEqual([["other"], 50]);
});

test("nothing is pending for an expired session", async () => {
  const { pending, settled, add, told } = world();
  add("one", 1000);
  await settled(1000);
  expect([pending.size(), told]).toEqual([0, []]);
});

/** From here on no time passes but what the test lets pass. */
function holdTime(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

test("a failing one does not hold up the others, of which fifty are written together", async () => {
  holdTime();
  const { pending } = world();
  let [running, atMost, told] = [0, 0, 0];
  for (let index = 0; index < 200; index += 1) {
    pending.add({
      session: `${index}`,
      until: 5000,
      async write() {
        if (index === 100) throw new Error("never");
        running += 1;
        atMost = Math.max(atMost, running);
        await Promise.resolve();
        running -= 1;
        told += 1;
      },
    });
  }
  await vi.advanceTimersByTimeAsync(0);
  expect([told, atMost, pending.has("100")]).toEqual([199, 50, true]);
});

test("a store that is down is tried at longer and longer intervals, up to a second", async () => {
  holdTime();
  const { pending } = world(0.999);
  const tries: number[] = [];
  const begun = Date.now();
  const write = () => {
    tries.push(Math.round((Date.now() - begun) / 100));
    return Promise.reject(new Error("the store is down"));
  };
  pending.add({ session: "one", until: 5000, write });
  await vi.advanceTimersByTimeAsync(3600);
  expect(tries).toEqual([0, 1, 3, 7, 15, 25, 35]);
});

test("no more than ten thousand are pending", async () => {
  const { pending, settled, add, answer } = world();
  for (let index = 0; index < 10_000; index += 1) expect(add(`${index}`)).toBe(true);
  expect(add("one more")).toBe(false);
  expect(add("1")).toBe(true);
  answer();
  await settled(5000);
  expect(pending.size()).toBe(0);
});

test("a process about to end is not kept alive by what is pending", async () => {
  const started = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => started.mockRestore());
  // No round number: others set timers meanwhile.
  const { pending, add, answer } = world(0.125);
  add("one");
  await new Promise((resolve) => setImmediate(resolve));
  const ours = started.mock.calls.findIndex(([, ms]) => ms === 12.5);
  expect(started.mock.results[ours]?.value.hasRef()).toBe(false);
  answer();
  await expect.poll(() => pending.size()).toBe(0);
});
