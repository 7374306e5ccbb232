import { describe, expect, test } from "vitest";

import { createTicketTable } from "./ticket-table.ts";

function world(charactersAtMost?: number) {
  let now = 0;
  const table = createTicketTable(() => now, charactersAtMost);
  return { table, advance: (ms: number) => void (now += ms) };
}

describe("a lease", () => {
  test("is granted to one owner, until it is released or its time has passed", () => {
    const { table, advance } = world();
    expect(table.lease("key", "one", 100)).toBe(true);
    expect(table.lease("key", "other", 100)).toBe(false);
    expect(table.release("key", "other")).toBe(false);
    advance(100);
    expect(table.isLeased("key")).toBe(false);
    expect(table.lease("key", "other", 100)).toBe(true);
    expect(table.release("key", "other")).toBe(true);
    expect(table.isLeased("key")).toBe(false);
  });

  test("is lost when the clock is set back, and lasts no longer than it was granted for", () => {
    const { table, advance } = world();
    table.lease("key", "one", 100);
    advance(-3_600_000);
    expect(table.isLeased("key")).toBe(false);
    expect(table.lease("key", "other", 100)).toBe(true);
    expect(table.isLeased("key")).toBe(true);
  });

  test("is settled by its owner alone, and by nobody once it is lost", () => {
    const { table, advance } = world();
    table.lease("key", "one", 100);
    expect(table.settle("key", "other", "done 0 x", 100)).toBe(false);
    advance(100);
    expect(table.settle("key", "one", "done 0 x", 100)).toBe(false);
    table.lease("key", "other", 100);
    expect(table.settle("key", "other", "done 0 x", 100)).toBe(true);
    expect(table.get("key")).toBe("done 0 x");
    expect(table.lease("key", "one", 100)).toBe(false);
    advance(100);
    expect(table.get("key")).toBeNull();
  });
});

describe("a table that is full", () => {
  const text = (state: string) => `${state} 0 ${"x".repeat(30)}`;

  test("forgets results that have arrived before those that have not, the oldest first", () => {
    const { table } = world(200);
    table.set("first", text("done"), 1000);
    table.set("second", text("seen"), 1000);
    table.set("third", text("seen"), 1000);
    table.set("fourth", text("done"), 1000);
    table.set("fifth", text("done"), 1000);
    const known = ["first", "second", "third", "fourth", "fifth"].filter((key) => table.get(key));
    expect(known).toEqual(["first", "third", "fourth", "fifth"]);
    table.set("sixth", text("done"), 1000);
    table.set("seventh", text("done"), 1000);
    expect(["first", "third", "fourth", "seventh"].map((key) => table.get(key) !== null)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  test("keeps what is leased", () => {
    const { table } = world(100);
    table.lease("leased", "one", 1000);
    for (let count = 0; count < 10; count += 1) table.set(`${count}`, text("done"), 1000);
    expect(table.isLeased("leased")).toBe(true);
  });

  test("holds 16 MiB by default", () => {
    const { table } = world();
    const mebibyte = "x".repeat(1024 * 1024);
    for (let count = 0; count < 20; count += 1) table.set(`${count}`, `done 0 ${mebibyte}`, 1000);
    const kept = Array.from({ length: 20 }, (_, count) => table.get(`${count}`)).filter(Boolean);
    expect(kept).toHaveLength(15);
  });
});

describe("a table is empty", () => {
  test("where nothing is leased and nothing is settled", () => {
    const { table } = world();
    expect(table.isEmpty()).toBe(true);
    table.lease("key", "one", 100);
    expect(table.isEmpty()).toBe(false);
    table.settle("key", "one", "done 0 x", 100);
    expect(table.isEmpty()).toBe(false);
    table.lease("other", "one", 100);
    table.delete("key");
    expect(table.isEmpty()).toBe(false);
    table.delete("other");
    expect(table.isEmpty()).toBe(true);
  });

  test("of leases that were lost, when the next one is granted, and of no other", () => {
    const { table, advance } = world();
    table.lease("lost", "one", 100);
    advance(100);
    table.lease("held", "one", 100);
    table.lease("last", "one", 100);
    expect(table.isLeased("held")).toBe(true);
    table.release("held", "one");
    table.release("last", "one");
    expect(table.isEmpty()).toBe(true);
  });

  test("of texts whose time has passed, when the next one is set, and of those that others replace", () => {
    const { table, advance } = world();
    table.set("old", "done 0 x", 100);
    advance(100);
    table.set("key", "done 0 x", 100);
    table.set("key", "seen 0 x", 100);
    table.delete("key");
    expect(table.isEmpty()).toBe(true);
  });
});
