import { expect, test } from "vitest";

import { createUsedProofs } from "./used-proofs.ts";

const minute = 60_000;

function world(atMost = 10) {
  const time = { passed: 0, jumped: 0 };
  const wall = () => time.passed + time.jumped;
  const proofs = createUsedProofs({
    clock: wall,
    timing: { monotonic: () => time.passed, wait: () => Promise.resolve() },
    keepMs: 10 * minute,
    atMost,
  });
  return {
    time,
    use: (client: string, proof: string, until = wall() + 5 * minute) =>
      proofs.add(client, proof, until),
  };
}

test("a proof counts once for its client", () => {
  const { use } = world();
  expect([use("ada", "one"), use("ada", "one"), use("ada", "two"), use("bob", "one")]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

test("a client with many proofs pushes out its own oldest, and none of another client", () => {
  const { use } = world(10);
  expect(use("ada", "first")).toBe(true);
  for (let nth = 0; nth < 1000; nth += 1) expect(use("mallory", `proof ${nth}`)).toBe(true);
  expect(use("ada", "first")).toBe(false);
  expect(use("mallory", "proof 999")).toBe(false);
  expect(use("mallory", "proof 0")).toBe(true);
});

test("a proof is forgotten after its time, on both clocks", () => {
  const { time, use } = world();
  use("ada", "one");
  time.passed = 10 * minute;
  expect(use("ada", "one", 5 * minute)).toBe(false);
  time.passed += 1;
  expect(use("ada", "one", 15 * minute)).toBe(true);
});

test.each([
  ["forward and back again", 60 * minute, 0, minute],
  ["back, until the proof is good again", -60 * minute, -60 * minute, 60 * minute],
])("a clock that is set %s makes no used proof new", (_, jump, jumpLater, passed) => {
  const { time, use } = world();
  const until = 5 * minute;
  use("ada", "one", until);
  time.jumped = jump;
  use("bob", "one");
  time.jumped = jumpLater;
  time.passed = passed;
  expect(use("ada", "one", until)).toBe(false);
});

test("a thousand clients with one proof each stay within the largest number", () => {
  const { use } = world(100);
  for (let nth = 0; nth < 1000; nth += 1) expect(use(`client ${nth}`, "one")).toBe(true);
  const known = Array.from({ length: 1000 }, (_, nth) => !use(`client ${nth}`, "one"));
  expect(known.filter(Boolean).length).toBeLessThanOrEqual(100);
});
