import { describe, expect, test } from "vitest";

import { memoryStore } from "./memory.ts";
import { passesTheSuite } from "./store-suite.support.ts";

describe("memory", () => {
  passesTheSuite(() => memoryStore());
});

describe("the memory of a process", () => {
  test("an entry is kept until the second at which it ends", async () => {
    let now = 999_999;
    const store = memoryStore(() => now);
    await store.set("a", "1", 1000);
    expect(await store.get(["a"])).toEqual(["1"]);
    now = 1_000_000;
    expect(await store.get(["a"])).toEqual([null]);
  });
});
