import { describe, expect, test } from "vitest";

import { createInstanceClock } from "./instance-clock.ts";

const began = 1_800_000_000_000;
const minuteMs = 60_000;

/** Our clock is so many milliseconds ahead of the true time. */
function world(aheadMs: number, { storeApartMs = 0, isStoreDown = false, pauseMs = 0 } = {}) {
  let now = began;
  let ourAheadMs = aheadMs;
  let asked = 0;
  const warnings: string[] = [];
  const instanceClock = createInstanceClock({
    clock: () => now + ourAheadMs,
    monotonic: () => now - began,
    store: {
      async now() {
        asked += 1;
        if (isStoreDown) throw new Error("the store is down");
        // Stores tell fractions, and sessions hold whole milliseconds.
        const told = now + storeApartMs + 0.25;
        now += pauseMs;
        return told;
      },
    },
    clockTolerance: 60,
    warn: (_kind, message) => warnings.push(message),
  });
  return {
    instanceClock,
    warnings,
    asked: () => asked,
    /** How far the instance is ahead, in milliseconds. */
    ahead: () => instanceClock.now() - now,
    /** How far the shared time is ahead. */
    shared: async () => (await instanceClock.shared()) - now,
    /** What the provider says is so far from the true time. */
    hear: (apartMs = 0) => instanceClock.compare(now + apartMs),
    pass: (ms: number) => void (now += ms),
    setClock: (ms: number) => void (ourAheadMs = ms),
  };
}

describe("the clock of an instance", () => {
  test.each([0, minuteMs, -minuteMs])(
    "counts where it is %i ms from the provider's, and the store is asked once",
    async (aheadMs) => {
      const { hear, ahead, asked, warnings } = world(aheadMs);
      await hear();
      await hear();
      expect([ahead(), asked(), warnings]).toEqual([aheadMs, 1, []]);
    },
  );

  test.each([
    [3_600_000, "3600 s ahead"],
    [-300_000, "300 s behind"],
  ])("is corrected by %i ms where provider and store agree, and told", async (aheadMs, told) => {
    const { hear, ahead, pass, warnings } = world(aheadMs);
    await hear(-900);
    expect(ahead()).toBe(0);
    expect(warnings).toEqual([expect.stringContaining(told)]);
    pass(86_400_000);
    await hear();
    expect([ahead(), warnings.length]).toEqual([0, 1]);
  });

  test("counts where the store tells what it tells itself: a cache may have kept what the provider said", async () => {
    const { hear, ahead, warnings } = world(0);
    await hear(-3_600_000);
    expect([ahead(), warnings]).toEqual([0, []]);
  });

  test("counts where provider and store tell different times, or the store tells none", async () => {
    const apart = world(3_600_000, { storeApartMs: -3_600_000 });
    await apart.hear();
    expect([apart.ahead(), apart.warnings]).toEqual([3_600_000, []]);
    const down = world(3_600_000, { isStoreDown: true });
    await down.hear();
    expect([down.ahead(), down.warnings]).toEqual([3_600_000, []]);
  });

  test("counts where the process, or its machine, stood still after it had asked the store", async () => {
    const { hear, ahead, warnings } = world(0, { pauseMs: 3_600_000 });
    await hear();
    expect([ahead(), warnings]).toEqual([0, []]);
  });

  test("counts again from the moment in which somebody sets it right", async () => {
    const { hear, ahead, setClock } = world(3_600_000);
    await hear();
    setClock(0);
    expect(ahead()).toBe(0);
    await hear();
    expect(ahead()).toBe(0);
  });

  test("counts again where it has come right little by little, as soon as the provider tells its time", async () => {
    const { hear, ahead, setClock, pass } = world(100_000);
    await hear();
    setClock(50_000);
    pass(minuteMs);
    expect(ahead()).toBe(-50_000);
    setClock(30_000);
    await hear();
    expect(ahead()).toBe(30_000);
  });
});

describe("the time by which all instances judge", () => {
  test.each([3_600_000, -3_600_000])(
    "is ours where the provider tells the same, though the store is %i ms apart, which is told",
    async (storeApartMs) => {
      const { hear, shared, warnings } = world(0, { storeApartMs });
      expect(await shared()).toBe(storeApartMs + 0.25);
      await hear();
      expect(await shared()).toBe(0);
      expect(warnings).toEqual([
        expect.stringContaining(
          `The clock of the store is 3600 s ${storeApartMs > 0 ? "ahead" : "behind"}`,
        ),
      ]);
    },
  );

  test("is the store's where the provider tells another one than ours, or has told none", async () => {
    const { hear, shared } = world(30_000);
    expect(await shared()).toBe(0.25);
    await hear();
    expect(await shared()).toBe(0.25);
  });

  test("is the store's from the moment in which somebody sets our clock wrong", async () => {
    const { hear, shared, setClock } = world(0);
    await hear();
    setClock(300_000);
    expect(await shared()).toBe(0.25);
  });

  test("is ours where that is seconds from the store's: it tells apart what happens within one", async () => {
    expect(await world(9000).shared()).toBe(9000);
  });
});
