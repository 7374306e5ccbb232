import { expect, test } from "vitest";

import { failingStore } from "../../test/failing-store.ts";
import { guardStore } from "./guarded-store.ts";
import { memoryStore } from "./memory.ts";
import type { Store } from "./store.ts";

const soon = Math.floor(Date.now() / 1000) + 3600;

const operations: [string, (store: Store) => unknown][] = [
  ["get", (store) => store.get(["a"])],
  ["set", (store) => store.set("a", "1", soon)],
  ["add", (store) => store.add("a", "1", soon)],
  ["swap", (store) => store.swap("a", "1", "2", soon)],
  ["delete", (store) => store.delete("a")],
  ["lease", (store) => store.lease("l", "me", 1000)],
  ["release", (store) => store.release("l", "me")],
  ["settle", (store) => store.settle("l", "me", "1", 1000)],
  ["list", (store) => store.list("")],
];

test.each(operations)(
  "a fault of %s is a refusal, and is told once with its cause",
  async (_, ask) => {
    const told: unknown[] = [];
    const inner = failingStore(memoryStore());
    const store = guardStore(inner, (error) => told.push(error));
    inner.fail(true);
    await expect(async () => ask(store)).rejects.toMatchObject({
      reason: "store_unavailable",
      cause: new Error("the store is down"),
    });
    expect(told).toEqual([new Error("the store is down")]);
  },
);

test("a store without a fault returns what the guarded one returns", async () => {
  const store = guardStore(memoryStore(), () => expect.unreachable());
  await store.set("a", "1", soon);
  expect(await store.get(["a", "b"])).toEqual(["1", null]);
  expect(await store.add("a", "2", soon)).toBe(false);
  expect(await store.swap("a", "1", "2", soon)).toBe("done");
  expect(await store.lease("l", "me", 1000)).toBe(true);
  await store.release("l", "me");
  expect(await store.settle("l", "me", "1", 1000)).toBe(false);
  expect(await store.list("")).toEqual(["a"]);
  await store.delete("a");
  await store.close();
  expect(await store.get(["a"])).toEqual([null]);
});
