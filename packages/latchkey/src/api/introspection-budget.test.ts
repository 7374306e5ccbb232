import { expect, test } from "vitest";

import { createBudget } from "./introspection-budget.ts";

function world() {
  const time = { now: 0 };
  const budget = createBudget({ clock: () => time.now });
  const taken = (network: string, times: number) =>
    Array.from({ length: times }, () => budget.take(network)).filter(Boolean).length;
  return { time, budget, taken };
}

test("a network has a hundred questions at once, and ten more each second", () => {
  const { time, taken } = world();
  expect(taken("one", 500)).toBe(100);
  time.now = 1000;
  expect(taken("one", 500)).toBe(10);
  time.now = 3_600_000;
  expect(taken("one", 500)).toBe(100);
});

test("a network that has used up its questions takes none of another one", () => {
  const { taken } = world();
  taken("one", 5000);
  expect(taken("two", 500)).toBe(100);
});

test("all networks together have a thousand", () => {
  const { taken } = world();
  const all = Array.from({ length: 50 }, (_, nth) => taken(`network ${nth}`, 100));
  expect(all.reduce((sum, each) => sum + each, 0)).toBe(1000);
});

test("questions about good tokens are given back", () => {
  const { budget, taken } = world();
  for (let nth = 0; nth < 500; nth += 1) {
    expect(budget.take("one")).toBe(true);
    budget.giveBack("one");
  }
  expect(taken("one", 500)).toBe(100);
});
