import { describe, expect, test } from "vitest";

import { Refusal } from "../errors/refusal.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";
import { createLookUpCache, type LookUpCacheOptions } from "./look-up-cache.ts";

/** A cache with a driven clock, and the look-ups it makes. */
function world(
  look: (key: string) => MaybePromise<string | null>,
  options: Partial<LookUpCacheOptions<string>> = {},
) {
  let now = 1_000_000;
  const looked: string[] = [];
  const faults: string[] = [];
  const background: Promise<unknown>[] = [];
  const pause = () => new Promise<void>((resolve) => void setImmediate(resolve));
  const cache = createLookUpCache<string>({
    look(key) {
      looked.push(key);
      return look(key);
    },
    freshForMs: 60_000,
    keepForMs: 3_600_000,
    atMost: 1000,
    timeoutMs: 100,
    clock: () => now,
    timing: {
      monotonic: () => now,
      wait: pause,
    },
    runInBackground: (work) => void background.push(work),
    onFault: (key) => void faults.push(key),
    ...options,
  });
  const outcomeOf = async (key: string) => {
    try {
      return await cache.get(key);
    } catch (error) {
      return error instanceof Refusal ? error.reason : "another error";
    }
  };
  return {
    cache,
    looked,
    faults,
    outcomeOf,
    pass: (ms: number) => void (now += ms),
    settle: () => Promise.allSettled(background),
  };
}

describe("an answer of a look-up [MX-008]", () => {
  test("is returned at once while it is fresh", async () => {
    const { cache, looked, pass } = world(async (key) => `settings of ${key}`);
    expect(await cache.get("acme")).toBe("settings of acme");
    pass(59_999);
    expect(cache.get("acme")).toBe("settings of acme");
    expect(looked).toEqual(["acme"]);
  });

  test("is served while it is renewed, by one look-up", async () => {
    let version = 1;
    const { cache, looked, pass, settle } = world(async () => `version ${version}`);
    await cache.get("acme");
    version = 2;
    pass(60_000);
    expect([cache.get("acme"), cache.get("acme")]).toEqual(["version 1", "version 1"]);
    await settle();
    expect(cache.get("acme")).toBe("version 2");
    expect(looked).toHaveLength(2);
  });

  test("is kept for an hour while look-ups fail, and not longer", async () => {
    let fails = false;
    const { outcomeOf, pass, settle } = world(() => {
      if (fails) throw new Error("the database is down");
      return "settings";
    });
    await outcomeOf("acme");
    fails = true;
    pass(3_599_000);
    expect(await outcomeOf("acme")).toBe("settings");
    await settle();
    pass(1000);
    expect(await outcomeOf("acme")).toBe("connection_unavailable");
  });

  test("survives a failed renewal, after which it is served as before", async () => {
    let fails = false;
    const { outcomeOf, looked, pass, settle } = world(() => {
      if (fails) throw new Error("the database is down");
      return "settings";
    });
    await outcomeOf("acme");
    fails = true;
    pass(60_000);
    await outcomeOf("acme");
    await settle();
    expect(await outcomeOf("acme")).toBe("settings");
    expect(await outcomeOf("acme")).toBe("settings");
    expect(looked).toHaveLength(2);
  });

  test("that there is none counts for ten seconds", async () => {
    const { outcomeOf, looked, pass } = world(() => null);
    expect([await outcomeOf("acme"), await outcomeOf("acme")]).toEqual([null, null]);
    pass(9999);
    await outcomeOf("acme");
    expect(looked).toHaveLength(1);
    pass(1);
    await outcomeOf("acme");
    expect(looked).toHaveLength(2);
  });

  test("that there is none any more replaces the settings", async () => {
    let answer: string | null = "settings";
    const { outcomeOf, pass, settle } = world(() => answer);
    await outcomeOf("acme");
    answer = null;
    pass(60_000);
    await outcomeOf("acme");
    await settle();
    expect(await outcomeOf("acme")).toBeNull();
    pass(10_000);
    expect(await outcomeOf("acme")).toBeNull();
  });

  test("is looked up again after it was forgotten, also during a look-up [MX-012]", async () => {
    const ends: ((answer: string) => void)[] = [];
    const { cache, looked } = world(() => new Promise((resolve) => ends.push(resolve)));
    const former = cache.get("acme");
    await new Promise(setImmediate);
    cache.forget("acme");
    const next = cache.get("acme");
    await new Promise(setImmediate);
    ends[1]?.("new");
    expect(await next).toBe("new");
    ends[0]?.("old");
    await former;
    expect(cache.get("acme")).toBe("new");
    expect(looked).toHaveLength(2);
  });
});

describe("a hundred callers of one unknown key [MX-107]", () => {
  test("make one look-up", async () => {
    const { cache, looked } = world(async (key) => {
      await new Promise(setImmediate);
      return key;
    });
    const all = await Promise.all(Array.from({ length: 100 }, async () => cache.get("acme")));
    expect(new Set(all)).toEqual(new Set(["acme"]));
    expect(looked).toHaveLength(1);
  });

  test("share its failure", async () => {
    const { outcomeOf, looked, faults } = world(async () => {
      await new Promise(setImmediate);
      throw new Error("the database is down");
    });
    const all = await Promise.all(Array.from({ length: 100 }, () => outcomeOf("acme")));
    expect(new Set(all)).toEqual(new Set(["connection_unavailable"]));
    expect([looked, faults]).toEqual([["acme"], ["acme"]]);
  });
});

describe("a look-up [MX-009]", () => {
  test("that never ends is given up after its time, and the next caller makes another", async () => {
    const started = performance.now();
    const { outcomeOf, looked, pass } = world(() => new Promise(() => undefined));
    expect(await outcomeOf("acme")).toBe("connection_unavailable");
    expect(performance.now() - started).toBeLessThan(1000);
    pass(1000);
    await outcomeOf("acme");
    expect(looked).toHaveLength(2);
  });

  test("that has failed is not made again for a second", async () => {
    const { outcomeOf, looked, pass } = world(() => {
      throw new TypeError("no such column");
    });
    await outcomeOf("acme");
    pass(999);
    await outcomeOf("acme");
    expect(looked).toHaveLength(1);
    pass(1);
    await outcomeOf("acme");
    expect(looked).toHaveLength(2);
  });

  test("that fails touches no other key", async () => {
    const { outcomeOf } = world((key) => {
      if (key === "broken") throw new Error("a broken row");
      return key;
    });
    await outcomeOf("acme");
    expect(await outcomeOf("broken")).toBe("connection_unavailable");
    expect([await outcomeOf("acme"), await outcomeOf("globex")]).toEqual(["acme", "globex"]);
  });

  test.each(["__proto__", "constructor", ""])("finds the key %j like any other", async (key) => {
    const { outcomeOf } = world((each) => `settings of ${each}`);
    expect(await outcomeOf(key)).toBe(`settings of ${key}`);
  });
});

describe("strangers with 10,000 unknown keys [MX-106]", () => {
  test("cause at most 50 look-ups at a time, and known keys are served", async () => {
    let underWay = 0;
    let most = 0;
    const { cache, outcomeOf } = world(async (key) => {
      if (key === "acme") return key;
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return null;
    });
    await cache.get("acme");
    const strangers = Array.from({ length: 10_000 }, (_, nth) => outcomeOf(`made-up-${nth}`));
    expect(cache.get("acme")).toBe("acme");
    await Promise.all(strangers);
    expect(most).toBe(50);
    expect(cache.get("acme")).toBe("acme");
  });

  test("take no place of a known key", async () => {
    const { cache, looked } = world((key) => (key.startsWith("made-up") ? null : key), {
      atMost: 10,
    });
    const known = Array.from({ length: 10 }, (_, nth) => `customer-${nth}`);
    await Promise.all(known.map(async (key) => cache.get(key)));
    for (let nth = 0; nth < 1000; nth += 1) await cache.get(`made-up-${nth}`);
    expect(known.map((key) => cache.get(key))).toEqual(known);
    expect(looked).toHaveLength(1010);
  });
});

test("the key unused for longest makes room for a new one [MX-105]", async () => {
  const { cache, looked } = world((key) => key, { atMost: 2 });
  await cache.get("one");
  await cache.get("two");
  await cache.get("one");
  await cache.get("three");
  expect(cache.get("one")).toBe("one");
  await cache.get("two");
  expect(looked).toEqual(["one", "two", "three", "two"]);
});
