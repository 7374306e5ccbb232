import { expect, test, vi } from "vitest";

import type { Store } from "./store.ts";
import { storeTests } from "./store-tests.ts";

/** Epoch seconds. */
export const soon = Math.floor(Date.now() / 1000) + 3600;
/** Long enough ago to be swept. */
export const past = Math.floor(Date.now() / 1000) - 100;

/** Runs what `latchkey/testing` offers for every store. `fresh` opens an empty one. */
export function passesTheSuite(fresh: () => Store | Promise<Store>): void {
  test.each(storeTests)("$name", async ({ run }) => {
    const store = await fresh();
    await expect(run(store)).resolves.toBeUndefined();
    await store.close();
  });
}

/** For stores on another machine. `fresh` opens an empty one. */
export function keepsByItsOwnClock(fresh: () => Store | Promise<Store>): void {
  test.each([3600, -3600])(
    "keeps everything for its time if the clock of the store is %i s ahead of ours",
    async (aheadSeconds) => {
      const store = await fresh();
      const storeMs = Date.now();
      vi.useFakeTimers({ toFake: ["Date"], now: storeMs - aheadSeconds * 1000 });
      const young = Date.now() / 1000 + 60;
      const old = Date.now() / 1000 - 1;
      await store.set("set", "1", young);
      await store.add("add", "1", young);
      await store.set("swap", "1", young);
      await store.swap("swap", "1", "2", young);
      await store.join("index", "young", young);
      await store.set("old", "1", old);
      await store.join("index", "old", old);
      vi.useRealTimers();
      expect(await store.get(["set", "add", "swap", "old"])).toEqual(["1", "1", "2", null]);
      expect(await store.members("index")).toEqual(["young"]);
      await store.close();
    },
  );
}
