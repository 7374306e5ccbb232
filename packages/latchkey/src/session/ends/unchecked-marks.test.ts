import { expect, test } from "vitest";

import { failingStore } from "../../../test/failing-store.ts";
import type { LogEvent } from "../../config/telemetry/log-event.ts";
import { guardStore } from "../../stores/guard/guarded-store.ts";
import { memoryStore } from "../../stores/memory.ts";
import { uncheckedMarks } from "./unchecked-marks.ts";

const keys = ["id|ada", "sid|tag", "sub|tag"];
const unmarked = [null, null, null];

function world() {
  let now = 1_000_000;
  const clock = () => now;
  const events: LogEvent[] = [];
  const log = (event: LogEvent) => events.push(event);
  const inner = failingStore(memoryStore());
  const store = guardStore(inner, { log, clock, fraction: () => 0.5 });
  return {
    inner,
    served: uncheckedMarks({ store, log, clock }),
    advance: (seconds: number) => void (now += seconds * 1000),
    alarms: () => events.filter(({ event }) => event === "marks-unchecked"),
  };
}

test("marks are read where the store answers", async () => {
  const { served, inner } = world();
  await inner.set("sub|tag", "1", 9e9);
  expect(await served.get(keys)).toEqual([null, null, "1"]);
});

test("sessions are let in for five minutes, with an alarm each minute, and then refused [OP-032]", async () => {
  const { served, inner, advance, alarms } = world();
  inner.fail(true);
  for (let second = 0; second < 300; second += 1) {
    expect(await served.get(keys)).toEqual(unmarked);
    advance(1);
  }
  expect(alarms()).toHaveLength(5);
  expect(alarms()[4]).toMatchObject({ durationMs: 240_000, suppressed: 59 });
  advance(1);
  await expect(served.get(keys)).rejects.toMatchObject({ reason: "store_unavailable" });
});

test("the marks count again when the store is back, and the next outage has five minutes of its own [OP-032]", async () => {
  const { served, inner, advance } = world();
  inner.fail(true);
  await served.get(keys);
  advance(400);
  inner.fail(false);
  await inner.set("id|ada", "1", 9e9);
  expect(await served.get(keys)).toEqual(["1", null, null]);
  inner.fail(true);
  expect(await served.get(keys)).toEqual(unmarked);
});

test("a session that lives in the store cannot be let in without it", async () => {
  const { served, inner } = world();
  inner.fail(true);
  await expect(served.get(["session|tag|x", ...keys])).rejects.toMatchObject({
    reason: "store_unavailable",
  });
});
