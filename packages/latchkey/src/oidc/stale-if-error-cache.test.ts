import { describe, expect, test } from "vitest";

import { staleIfErrorCache } from "./stale-if-error-cache.ts";

/** A value that a provider gives, counted, and a clock that is moved by hand. */
function world() {
  let now = 0;
  let loads = 0;
  let fault: Error | null = null;
  const cache = staleIfErrorCache({
    async load() {
      loads += 1;
      await Promise.resolve();
      if (fault !== null) throw fault;
      return `value ${loads}`;
    },
    maxAgeMs: 600_000,
    retryAfterMs: 30_000,
    clock: () => now,
  });
  return {
    cache,
    loads: () => loads,
    advance: (ms: number) => void (now += ms),
    fail: (error: Error | null) => void (fault = error),
  };
}

test("a value is loaded once, however many callers ask at the same moment", async () => {
  const { cache, loads } = world();
  const values = await Promise.all(Array.from({ length: 1000 }, () => cache.get()));
  expect(new Set(values)).toEqual(new Set(["value 1"]));
  expect(loads()).toBe(1);
});

test("a value is loaded again when it has reached its age, not before", async () => {
  const { cache, advance } = world();
  await cache.get();
  advance(599_999);
  expect(await cache.get()).toBe("value 1");
  advance(1);
  expect(await cache.get()).toBe("value 2");
});

describe("while loading fails", () => {
  test("the last good value serves on, and the next try waits (RFC 5861, 4)", async () => {
    const { cache, advance, fail, loads } = world();
    await cache.get();
    fail(new Error("down"));
    advance(600_000);
    for (let count = 0; count < 5; count += 1) expect(await cache.get()).toBe("value 1");
    expect(loads()).toBe(2);
    advance(30_000);
    expect(await cache.get()).toBe("value 1");
    expect(loads()).toBe(3);
    fail(null);
    advance(30_000);
    expect(await cache.get()).toBe("value 4");
  });

  test("a first load that fails rejects, and its failure is not kept", async () => {
    const { cache, fail } = world();
    fail(new Error("down"));
    await expect(cache.get()).rejects.toThrow("down");
    fail(null);
    expect(await cache.get()).toBe("value 2");
  });

  test("a forced renewal that fails rejects, and the last good value serves on", async () => {
    const { cache, fail } = world();
    await cache.get();
    fail(new Error("down"));
    await expect(cache.renew()).rejects.toThrow("down");
    expect(await cache.get()).toBe("value 1");
  });
});
