import { expect, test } from "vitest";

import { createBackground } from "../../background.ts";
import type { LogEvent } from "../../config/telemetry/log-event.ts";
import { createPendingEnds } from "./pending-ends.ts";

function world() {
  const events: LogEvent[] = [];
  let now = 1_000_000;
  let isDown = true;
  const told: string[] = [];
  const background = createBackground();
  const pending = createPendingEnds({
    background,
    log: (event) => events.push(event),
    clock: () => now,
    fraction: () => 0.01,
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

test("what the store could not be told is repeated until it knows, and told once [OP-023]", async () => {
  const { pending, settled, add, told, events, advance, answer } = world();
  expect(add("one")).toBe(true);
  expect(add("other")).toBe(true);
  await settled(30);
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

test("later sign-outs are told too", async () => {
  const { settled, add, told, answer } = world();
  answer();
  add("one");
  await settled(1000);
  add("other");
  await settled(1000);
  expect(told).toEqual(["one", "other"]);
});

test("nothing is pending for a session that has ended by itself", async () => {
  const { pending, settled, add, told } = world();
  add("one", 999);
  await settled(1000);
  expect([pending.size(), told]).toEqual([0, []]);
});

test("one that cannot be told does not hold up the others", async () => {
  const { pending, add, told, answer } = world();
  pending.add({ session: "stuck", until: 5000, write: () => Promise.reject(new Error("never")) });
  for (let index = 0; index < 200; index += 1) add(`${index}`);
  answer();
  await expect.poll(() => told).toHaveLength(200);
  expect(pending.has("stuck")).toBe(true);
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
