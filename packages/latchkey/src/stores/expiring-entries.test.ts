import { expect, test } from "vitest";

import { expiringEntries } from "./expiring-entries.ts";

test("expired entries are removed while others are written [OP-034]", () => {
  let now = 0;
  const entries = expiringEntries(() => now);
  let most = 0;
  for (let index = 0; index < 200_000; index += 1) {
    now = index * 1000;
    entries.set(`k${index}`, "1", index + 1000);
    most = Math.max(most, entries.size());
  }
  expect(entries.keys()).toHaveLength(1000);
  expect(most).toBeLessThan(2000);
});

test("entries no longer read are removed by writes of other keys", () => {
  let now = 0;
  const entries = expiringEntries(() => now);
  for (let index = 0; index < 1000; index += 1) entries.set(`old ${index}`, "1", 1);
  now = 62_000;
  for (let index = 0; index < 1000; index += 1) entries.set("new", "1", 70);
  expect(entries.size()).toBe(1);
});

test("a clock that is ahead for a moment deletes nothing", () => {
  let now = 0;
  const entries = expiringEntries(() => now);
  for (const key of ["a", "b"]) entries.set(key, "1", 10);
  now = 60_000;
  for (let count = 0; count < 10; count += 1) entries.set("c", "1", 100);
  expect(entries.get("a")).toBeNull();
  now = 0;
  expect([entries.get("a"), entries.get("b")]).toEqual(["1", "1"]);
});

test("a write removes a few expired entries, never all of a million [OP-034]", () => {
  let now = 0;
  const entries = expiringEntries(() => now);
  for (let index = 0; index < 1_000_000; index += 1) entries.set(`k${index}`, "1", 1);
  now = 62_000;
  entries.set("new", "1", 70);
  expect(entries.size()).toBeGreaterThan(999_990);
});
