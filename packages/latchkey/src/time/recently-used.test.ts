import { expect, test } from "vitest";

import { createRecentlyUsed } from "./recently-used.ts";

function filled(keys: string, atMost: number) {
  const map = createRecentlyUsed<string>(atMost);
  for (const key of keys) map.set(key, key);
  return map;
}

const keysIn = (map: ReturnType<typeof filled>) =>
  "a b c d e"
    .split(" ")
    .filter((key) => map.get(key) !== undefined)
    .join("");

test("the oldest entry makes room for a new one", () => {
  expect(keysIn(filled("abcde", 3))).toBe("cde");
});

test("an entry that was used stays, and another one makes room", () => {
  const map = filled("abc", 3);
  map.get("a");
  map.set("d", "d");
  map.set("e", "e");
  expect(keysIn(map)).toBe("ade");
});

test("an entry with a new value is as good as new", () => {
  const map = filled("abca", 3);
  map.set("d", "d");
  expect(keysIn(map)).toBe("acd");
});

test("the newest entry makes room if all others were used after it", () => {
  const map = filled("abc", 3);
  for (const key of "ba") map.get(key);
  map.set("d", "d");
  expect(keysIn(map)).toBe("abd");
});

test("a deleted entry leaves its place", () => {
  const map = filled("abc", 3);
  map.delete("b");
  map.set("d", "d");
  expect(keysIn(map)).toBe("acd");
});
