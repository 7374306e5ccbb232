import { expect, test } from "vitest";

import { createRecentStates } from "./recent-states.ts";

test("what is known of a state is known once, and does not change", () => {
  const states = createRecentStates<string>(() => 0, 10);
  expect(states.add("one", "first")).toBe(true);
  expect(states.add("one", "second")).toBe(false);
  expect(states.add("two", "other")).toBe(true);
  expect([states.get("one"), states.get("two"), states.get("three")]).toEqual([
    "first",
    "other",
    undefined,
  ]);
});

test("it is remembered for as long as a pending login lives, an hour", () => {
  let now = 0;
  const states = createRecentStates<boolean>(() => now, 10);
  states.add("old", true);
  now = 3_599_999;
  states.add("new", true);
  expect(states.get("old")).toBe(true);
  now = 3_600_001;
  states.add("newer", true);
  expect(states.get("old")).toBeUndefined();
  expect(states.get("new")).toBe(true);
});

test("beyond so many the oldest are forgotten [REL-L03]", () => {
  const states = createRecentStates<number>(() => 0, 1000);
  for (let count = 0; count < 100_000; count += 1) states.add(`state ${count}`, count);
  expect(states.get("state 98999")).toBeUndefined();
  expect(states.get("state 99000")).toBe(99_000);
  expect(states.get("state 99999")).toBe(99_999);
});
