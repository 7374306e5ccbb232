import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { failingStore } from "../../../test/failing-store.ts";
import type { LogEvent } from "../../telemetry/log-event.ts";
import { type Measurement, unobserved } from "../../telemetry/telemetry.ts";
import { guardStore } from "./guarded-store.ts";
import { memoryStore } from "../memory.ts";
import type { Store } from "../store.ts";

const soon = Math.floor(Date.now() / 1000) + 3600;

const operations: [string, (store: Store) => unknown][] = [
  ["get", (store) => store.get(["a"])],
  ["set", (store) => store.set("a", "1", soon)],
  ["add", (store) => store.add("a", "1", soon)],
  ["swap", (store) => store.swap("a", "1", "2", soon)],
  ["delete", (store) => store.delete("a")],
  ["lease", (store) => store.lease("l", "me", 1000)],
  ["release", (store) => store.release("l", "me")],
  ["join", (store) => store.join("i", "a", soon)],
  ["leave", (store) => store.leave("i", "a")],
  ["members", (store) => store.members("i")],
];

/** A guarded store over one which can fail or hang, with everything logged. */
function world({ fraction = (): number => 0.5, clock = Date.now } = {}) {
  const events: LogEvent[] = [];
  const inner = failingStore(memoryStore());
  let asked = 0;
  let isSilent = false;
  const silent: Store = {
    ...inner,
    async get(keys) {
      asked += 1;
      if (isSilent) await new Promise(() => undefined);
      return inner.get(keys);
    },
    set: (...entry) => inner.set(...entry),
    faultOf: ({ message }) => (message === "read only" ? "read-only" : undefined),
  };
  const store = guardStore(silent, { log: (event) => events.push(event), clock, fraction });
  return {
    inner,
    store,
    events,
    silence: (silenced: boolean) => void (isSilent = silenced),
    asked: () => asked,
    states: () => events.flatMap((each) => (each.event === "store-state" ? [each.state] : [])),
  };
}

const refusal = { reason: "store_unavailable" };

test("each operation is measured by the guard's clock, with what made it fail [OP-131]", async () => {
  const measured: Measurement[] = [];
  const inner = failingStore(memoryStore());
  let now = 0;
  const store = guardStore(inner, {
    log: () => undefined,
    observer: { ...unobserved, measure: (measurement) => measured.push(measurement) },
    clock: () => (now += 1),
    fraction: () => 0.5,
  });
  await store.set("a", "1", soon);
  inner.fail(true);
  await expect(store.get(["a"])).rejects.toMatchObject(refusal);
  expect(measured).toMatchObject([
    { of: "store-operation", operation: "set", durationMs: 1 },
    { of: "store-operation", operation: "get", durationMs: 1, fault: "other" },
  ]);
  expect(measured[0]).not.toHaveProperty("fault");
});

async function refused(asking: MaybeRefused): Promise<void> {
  await expect(asking).rejects.toMatchObject(refusal);
}

type MaybeRefused = Promise<unknown>;

const write = async (store: Store) => store.set("a", "1", soon);

async function failTimes(store: Store, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await refused((async () => store.get(["a"]))());
}

/** Five operations at a silent store, within a second. */
async function failsFiveTimes(store: Store): Promise<void> {
  const failing = Array.from({ length: 5 }, () => failTimes(store, 1));
  await vi.advanceTimersByTimeAsync(1001);
  await Promise.all(failing);
}

test.each(operations)(
  "a fault of %s is a refusal, logged once with its cause",
  async (operation, ask) => {
    const { store, inner, events } = world();
    const error = new Error("the store is down");
    inner.fail(error);
    await expect(async () => ask(store)).rejects.toMatchObject({ ...refusal, cause: error });
    expect(events).toEqual([
      { event: "store-fault", operation, reason: "other", error, suppressed: 0 },
    ]);
  },
);

test("without faults the guarded store returns the same and logs nothing", async () => {
  const { store, events } = world();
  await store.set("a", "1", soon);
  expect(await store.get(["a", "b"])).toEqual(["1", null]);
  expect(await store.add("a", "2", soon)).toBe(false);
  expect(await store.swap("a", "1", "2", soon)).toBe("done");
  expect(await store.lease("l", "me", 1000)).toBe(true);
  await store.release("l", "me");
  await store.join("i", "a", soon);
  await store.join("i", "b", soon);
  await store.leave("i", "a");
  expect(await store.members("i")).toEqual(["b"]);
  await store.delete("a");
  await store.close();
  expect(await store.get(["a"])).toEqual([null]);
  expect(events).toEqual([]);
});

describe("a silent store", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("it is given up within a second", async () => {
    const { store, silence, events } = world();
    silence(true);
    const failing = failTimes(store, 1);
    await vi.advanceTimersByTimeAsync(899);
    expect(events).toEqual([]);
    await vi.advanceTimersByTimeAsync(101);
    await failing;
    expect(events).toMatchObject([{ event: "store-fault", reason: "timeout" }]);
  });

  test("five unanswered writes mark it down, until it answers a read", async () => {
    const { store, inner, states } = world();
    inner.set = () => new Promise(() => undefined);
    const writes = Array.from({ length: 5 }, () => refused(write(store)));
    await vi.advanceTimersByTimeAsync(1000);
    await Promise.all(writes);
    expect(states()).toEqual(["down", "up"]);
    await store.close();
  });

  test("after five time-outs operations are refused immediately, until it answers again", async () => {
    const { store, silence, states } = world();
    silence(true);
    await failsFiveTimes(store);
    expect(store.state()).toBe("down");
    await failTimes(store, 100);
    silence(false);
    await vi.advanceTimersByTimeAsync(2000);
    expect(store.state()).toBe("up");
    expect(await store.get(["a"])).toEqual([null]);
    expect(states()).toEqual(["down", "up"]);
  });

  test("during an outage one probe at a time runs [OP-028]", async () => {
    const { store, silence, asked } = world({ fraction: () => 0 });
    silence(true);
    await failsFiveTimes(store);
    await vi.advanceTimersByTimeAsync(50);
    await failTimes(store, 50);
    expect(asked()).toBe(6);
    await store.close();
  });
});

test("the waits between probes grow to half a second [OP-028]", async () => {
  vi.useFakeTimers();
  const { store, inner, asked } = world({ fraction: () => 0.999 });
  inner.fail(new Error("gone"));
  await failTimes(store, 5);
  const before = asked();
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked() - before).toBe(11);
  vi.useRealTimers();
  await store.close();
});

describe("a store which refuses", () => {
  const gone = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

  test("its recovery is logged with the number of failures and the duration [OP-029]", async () => {
    let now = 1_000_000;
    const { store, inner, events } = world({ clock: () => now });
    inner.fail(gone);
    await failTimes(store, 5);
    await failTimes(store, 200);
    now += 600;
    inner.fail(null);
    await expect.poll(() => store.state()).toBe("up");
    expect(events).toMatchObject([
      { event: "store-fault", operation: "get", reason: "refused", suppressed: 0 },
      { event: "store-state", state: "down", reason: "refused" },
      { event: "store-state", state: "up", failures: 205, durationMs: 600 },
    ]);
  });

  test("whose reads all fail is down, whatever the reason, until it answers; writes alone are not counted", async () => {
    const { store, inner, events, states } = world();
    inner.fail(new Error("permission denied"), "set");
    for (let count = 0; count < 10; count += 1) await refused(write(store));
    expect(store.state()).toBe("up");
    inner.fail(new Error("read only"));
    await failTimes(store, 5);
    expect(store.state()).toBe("down");
    expect(events.at(-1)).toEqual({ event: "store-state", state: "down", reason: "read-only" });
    inner.fail(null);
    await expect.poll(() => store.state()).toBe("up");
    expect(states()).toEqual(["down", "up"]);
  });

  test("operations from an outage which fail after it are no second outage", async () => {
    const { store, inner, states } = world();
    const pending: ((error: Error) => void)[] = [];
    inner.set = () => new Promise((_, reject) => void pending.push(reject));
    const late = Array.from({ length: 10 }, () => refused(write(store)));
    inner.fail(gone, "get");
    await failTimes(store, 5);
    inner.fail(null);
    await expect.poll(() => store.state()).toBe("up");
    for (const reject of pending) reject(gone);
    await Promise.all(late);
    expect(states()).toEqual(["down", "up"]);
  });

  test("without timers an operation acts as the probe", async () => {
    let now = 1_000_000;
    const { store, inner } = world({ clock: () => now });
    inner.fail(gone);
    await failTimes(store, 5);
    inner.fail(null);
    now += 10_000;
    expect(await store.get(["a"])).toEqual([null]);
    expect(store.state()).toBe("up");
  });

  test("four failures and a success leave nothing behind", async () => {
    const { store, inner } = world();
    for (let round = 0; round < 3; round += 1) {
      inner.fail(gone);
      await failTimes(store, 4);
      inner.fail(null);
      await store.get(["a"]);
    }
    expect(store.state()).toBe("up");
  });

  test("faults of one kind are logged once a second, with the number of omitted ones [OP-029]", async () => {
    let now = 1_000_000;
    const { store, inner, events } = world({ clock: () => now });
    inner.fail(new Error("wrong"));
    for (let count = 0; count < 100; count += 1) {
      now += 100;
      await refused(write(store));
    }
    expect(events).toHaveLength(10);
    expect(events[1]).toMatchObject({ event: "store-fault", suppressed: 9 });
  });
});

test("a store without writes is read-only until a write succeeds", async () => {
  const { store, inner, states } = world();
  const readOnly = new Error("read only");
  inner.fail(readOnly, "set");
  for (let count = 0; count < 10; count += 1) await refused(write(store));
  expect(await store.get(["a"])).toEqual([null]);
  expect(store.state()).toBe("read-only");
  inner.fail(null);
  await write(store);
  expect(store.state()).toBe("up");
  expect(states()).toEqual(["read-only", "up"]);
});

test("slow answers are logged once a minute", async () => {
  let now = 1_000_000;
  const { store, inner, events } = world({ clock: () => now });
  vi.spyOn(inner, "set").mockImplementation(() => void (now += 500));
  for (let count = 0; count < 240; count += 1) await store.set("a", "1", soon);
  expect(events).toHaveLength(2);
  expect(events[1]).toEqual({
    event: "store-slow",
    operation: "set",
    durationMs: 500,
    suppressed: 119,
  });
});
