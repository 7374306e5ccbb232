import { expect, test } from "vitest";

import { createRecentMap } from "./recent-map.ts";

const hour = 3_600_000;

test("a value that was added under a key stays until another one is set", () => {
  const map = createRecentMap<string>({ clock: () => 0, keepMs: hour, atMost: 10 });
  expect(map.add("one", "first")).toBe(true);
  expect(map.add("one", "second")).toBe(false);
  expect(map.add("two", "other")).toBe(true);
  expect([map.get("one"), map.get("two"), map.get("three")]).toEqual(["first", "other", undefined]);
  map.set("one", "third");
  expect(map.get("one")).toBe("third");
});

test("a value is forgotten after its time, and its key is free again", () => {
  let now = 0;
  const map = createRecentMap<boolean>({ clock: () => now, keepMs: hour, atMost: 10 });
  map.add("old", true);
  now = hour - 1;
  map.add("new", true);
  expect(map.get("old")).toBe(true);
  now = hour + 1;
  expect(map.get("old")).toBeUndefined();
  expect(map.add("old", true)).toBe(true);
  expect(map.get("new")).toBe(true);
});

test("a value that is set again is kept for the whole time again, also before older ones", () => {
  let now = 0;
  const map = createRecentMap<string>({ clock: () => now, keepMs: hour, atMost: 2 });
  map.set("again", "first");
  map.set("old", "only");
  now = hour - 1;
  map.set("again", "second");
  now = hour + 1;
  map.set("new", "only");
  expect([map.get("again"), map.get("old"), map.get("new")]).toEqual(["second", undefined, "only"]);
});

test("beyond the largest number the oldest are forgotten", () => {
  const map = createRecentMap<number>({ clock: () => 0, keepMs: hour, atMost: 1000 });
  for (let count = 0; count < 100_000; count += 1) map.add(`state ${count}`, count);
  expect(map.get("state 98999")).toBeUndefined();
  expect(map.get("state 99000")).toBe(99_000);
  expect(map.get("state 99999")).toBe(99_999);
});

test.each([
  ["a day back", -24],
  ["not at all", 0],
])("a value lives no longer if the clock on the wall is set %s", (_, hours) => {
  let passed = 0;
  let jumped = 0;
  const map = createRecentMap<string>({
    clock: () => passed + jumped,
    timing: { monotonic: () => passed },
    keepMs: hour,
    atMost: 10,
  });
  map.set("one", "value");
  jumped = hours * hour;
  passed = hour - 1;
  expect(map.get("one")).toBe("value");
  passed = hour;
  expect(map.get("one")).toBeUndefined();
});
