import { expect, test } from "vitest";

import type { Store } from "./store.ts";
import { storeTests } from "./store-tests.ts";

/** Epoch seconds. */
export const soon = Math.floor(Date.now() / 1000) + 3600;
export const past = Math.floor(Date.now() / 1000) - 10;

/** Runs what `latchkey/testing` offers for every store. `fresh` opens an empty one. */
export function passesTheSuite(fresh: () => Store | Promise<Store>): void {
  test.each(storeTests)("$name", async ({ run }) => {
    const store = await fresh();
    await expect(run(store)).resolves.toBeUndefined();
    await store.close();
  });
}
