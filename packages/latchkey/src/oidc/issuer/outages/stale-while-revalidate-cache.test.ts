import { describe, expect, onTestFinished, test, vi } from "vitest";

import { createBackground } from "../../../time/background.ts";
import { Refusal } from "../../../errors/refusal.ts";
import { createCircuitBreaker } from "./circuit-breaker.ts";
import { staleWhileRevalidateCache } from "./stale-while-revalidate-cache.ts";

const minute = 60_000;
const hour = 60 * minute;
const down = new Refusal("provider_timeout");
const nonsense = new Refusal("metadata_invalid");

/** A counted document of a provider, fresh for ten minutes, and a manual clock. */
function world() {
  let now = 0;
  let loads = 0;
  let fault: Error | null = null;
  let isHanging = false;
  let loadMs = 0;
  const transitions: string[] = [];
  const background = createBackground();
  const cache = staleWhileRevalidateCache({
    async load() {
      loads += 1;
      const value = `document ${loads}`;
      const failure = fault;
      if (isHanging) await new Promise(() => undefined);
      if (loadMs > 0) await new Promise((resolve) => setTimeout(resolve, loadMs));
      if (failure !== null) throw failure;
      return { value, freshForMs: 10 * minute };
    },
    breaker: createCircuitBreaker({
      backOff: { baseMs: 1000, capMs: 10_000 },
      opensAfter: 1,
      clock: () => now,
      fraction: () => 0.999,
      onOpen({ reason }) {
        transitions.push(reason);
        return () => void transitions.push("works");
      },
    }),
    loadTimeoutMs: 200,
    clock: () => now,
    runInBackground: (work) => background.run("renewal", work),
  });
  return {
    cache,
    transitions,
    loads: () => loads,
    advance: (ms: number) => void (now += ms),
    fail: (error: Error | null) => void (fault = error),
    hang: (isToHang: boolean) => void (isHanging = isToHang),
    /** From now on a load takes so long, and timers are moved by hand too. */
    slow(ms: number) {
      loadMs = ms;
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
    },
    close: () => background.close(1000),
  };
}

test("a document is loaded once for all callers at the same moment [REL-F06]", async () => {
  const { cache, loads } = world();
  const values = await Promise.all(Array.from({ length: 1000 }, () => cache.get()));
  expect(new Set(values)).toEqual(new Set(["document 1"]));
  expect(loads()).toBe(1);
});

test("a document is renewed when it is no longer fresh, not before", async () => {
  const { cache, advance } = world();
  await cache.get();
  advance(10 * minute - 1);
  expect(await cache.get()).toBe("document 1");
  advance(1);
  expect(await cache.get()).toBe("document 2");
});

test("a clock on the wall that is set back keeps no document longer", async () => {
  let passed = 0;
  let jumped = 0;
  let loads = 0;
  const clock = () => passed + jumped;
  const cache = staleWhileRevalidateCache({
    load: async () => ({ value: (loads += 1), freshForMs: 10 * minute }),
    breaker: createCircuitBreaker({
      backOff: { baseMs: 1000, capMs: 10_000 },
      opensAfter: 1,
      clock,
      fraction: () => 1,
      onOpen: () => () => undefined,
    }),
    loadTimeoutMs: 200,
    clock,
    timing: { monotonic: () => passed },
    runInBackground: () => undefined,
  });
  expect(await cache.get()).toBe(1);
  jumped = -24 * hour;
  passed = 10 * minute - 1;
  expect(await cache.get()).toBe(1);
  passed = 10 * minute;
  expect(await cache.get()).toBe(2);
});

test("no caller waits for a renewal: the old document is served [OP-041]", async () => {
  const { cache, loads, advance, hang } = world();
  await cache.get();
  advance(10 * minute);
  hang(true);
  const values = await Promise.all(Array.from({ length: 100 }, () => cache.get()));
  expect(new Set(values)).toEqual(new Set(["document 1"]));
  expect(loads()).toBe(2);
});

test("a load without end is abandoned, and the next caller starts another one", async () => {
  const { cache, hang, advance } = world();
  hang(true);
  void cache.get();
  hang(false);
  advance(100);
  expect(await cache.get()).toBe("document 2");
});

test("an abandoned load that fails afterwards is no failure", async () => {
  const { cache, transitions, advance, fail } = world();
  fail(down);
  const early = cache.get();
  advance(1000);
  fail(null);
  expect(await cache.get()).toBe("document 2");
  await early.catch(() => undefined);
  expect(transitions).toEqual([]);
});

test("the age of a document is known, for those who watch", async () => {
  const { cache, advance } = world();
  expect(cache.ageMs()).toBeNull();
  advance(1000);
  await cache.get();
  advance(5000);
  expect(cache.ageMs()).toBe(5000);
});

describe("while loading fails", () => {
  test("the last document serves on for a day, and no longer [OP-043]", async () => {
    const { cache, advance, fail } = world();
    await cache.get();
    fail(down);
    for (let hours = 0; hours < 24; hours += 1) {
      advance(hour);
      expect(await cache.get()).toBe("document 1");
    }
    advance(hour);
    await expect(cache.get()).rejects.toMatchObject({ reason: "provider_timeout" });
    fail(null);
    advance(10_000);
    expect(await cache.get()).toMatch(/^document \d+$/);
  });

  test("the load is retried after waits from one second to ten", async () => {
    const { cache, advance, fail, loads } = world();
    fail(down);
    await expect(cache.get()).rejects.toThrow(down.message);
    const triedAt: number[] = [];
    for (let tenths = 1; tenths <= 400; tenths += 1) {
      advance(100);
      const before = loads();
      await expect(cache.get()).rejects.toMatchObject({ reason: "provider_timeout" });
      if (loads() > before) triedAt.push(tenths / 10);
    }
    expect(triedAt).toEqual([1, 3, 7, 15, 25, 35]);
  });

  test("a failed first document is a failure for all callers, without a load or a wait", async () => {
    const { cache, fail, loads } = world();
    fail(down);
    await expect(cache.get()).rejects.toMatchObject({ reason: "provider_timeout" });
    const refusals = Array.from({ length: 100 }, () =>
      cache.get().catch((error: unknown) => error),
    );
    const known = { reason: "provider_timeout", retryAfterSeconds: 1 };
    expect((await Promise.all(refusals))[99]).toMatchObject(known);
    expect(loads()).toBe(1);
  });

  test("the caller of a retry waits a moment only, and gets the new document", async () => {
    const { cache, fail, advance, hang } = world();
    fail(down);
    await cache.get().catch(() => undefined);
    advance(1000);
    hang(true);
    await expect(cache.get()).rejects.toMatchObject({ reason: "provider_timeout" });
    fail(null);
    hang(false);
    advance(1000);
    expect(await cache.get()).toBe("document 3");
  });

  test.each([
    ["provider_unreachable", "document 2"],
    ["provider_timeout", "provider_timeout"],
  ] as const)("a retry after %s gets the result %s of a slow load", async (reason, outcome) => {
    const { cache, fail, advance, slow } = world();
    fail(new Refusal(reason));
    await cache.get().catch(() => undefined);
    advance(1000);
    fail(null);
    slow(80);
    const result = cache.get().catch((error: Refusal) => error.reason);
    await vi.advanceTimersByTimeAsync(100);
    expect(await result).toBe(outcome);
  });

  test("no caller waits for a slow renewal, but closing does", async () => {
    const { cache, advance, slow, close } = world();
    await cache.get();
    advance(10 * minute);
    slow(80);
    const result = cache.get();
    await vi.advanceTimersByTimeAsync(50);
    expect(await result).toBe("document 1");
    const closing = close();
    await vi.advanceTimersByTimeAsync(50);
    expect(await closing).toEqual([]);
    expect(await cache.get()).toBe("document 2");
  });

  test("a forced renewal is not made while the provider is known to fail", async () => {
    const { cache, fail, loads } = world();
    fail(down);
    await cache.get().catch(() => undefined);
    await expect(cache.renew()).rejects.toMatchObject({ retryAfterSeconds: 1 });
    expect(loads()).toBe(1);
  });

  test("a renewal with a wrong document counts as an outage", async () => {
    const { cache, advance, fail, transitions } = world();
    await cache.get();
    fail(nonsense);
    advance(10 * minute);
    expect(await cache.get()).toBe("document 1");
    expect(transitions).toEqual(["metadata_invalid"]);
  });

  test("no call is made before the time in Retry-After", async () => {
    const { cache, fail, advance, loads } = world();
    const busy = { reason: "provider_busy" };
    fail(new Refusal("provider_busy", { retryAfterSeconds: 7 }));
    await expect(cache.get()).rejects.toMatchObject({ ...busy, retryAfterSeconds: 7 });
    advance(6900);
    fail(null);
    await expect(cache.get()).rejects.toMatchObject({ ...busy, retryAfterSeconds: 1 });
    expect(loads()).toBe(1);
    advance(100);
    expect(await cache.get()).toBe("document 2");
  });

  test("one failure and one recovery are reported", async () => {
    const { cache, fail, advance, transitions } = world();
    await cache.get();
    fail(down);
    for (let minutes = 0; minutes < 60; minutes += 1) {
      advance(minute);
      await cache.get();
    }
    expect(transitions).toEqual(["provider_timeout"]);
    fail(null);
    advance(minute);
    await cache.get();
    expect(transitions).toEqual(["provider_timeout", "works"]);
  });

  test("the next caller loads a wrong first document again", async () => {
    const { cache, fail } = world();
    fail(nonsense);
    await expect(cache.get()).rejects.toThrow(nonsense.message);
    fail(null);
    expect(await cache.get()).toBe("document 2");
  });

  test("a provider that returns with a wrong document is reported as such", async () => {
    const { cache, fail, advance } = world();
    fail(down);
    await cache.get().catch(() => undefined);
    fail(nonsense);
    advance(1000);
    await expect(cache.get()).rejects.toMatchObject({ reason: "metadata_invalid" });
  });

  test("a failed forced renewal rejects, and the last good document is served", async () => {
    const { cache, fail } = world();
    await cache.get();
    fail(down);
    await expect(cache.renew()).rejects.toThrow(down.message);
    expect(await cache.get()).toBe("document 1");
  });
});
