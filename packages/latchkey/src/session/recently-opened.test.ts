import { describe, expect, test } from "vitest";

import { createRecentlyOpened } from "./recently-opened.ts";

const generationMs = 60_000;

function world(charactersAtMost = 10_000) {
  let now = 1_000_000;
  const recent = createRecentlyOpened({ clock: () => now, charactersAtMost, generationMs });
  return { recent, pass: (milliseconds: number) => (now += milliseconds) };
}

function sealed(body: string, tag = body) {
  const padded = tag.padStart(22, "t").slice(-22);
  return { value: `${body}.${padded}`, tag: padded };
}

const opened = (text: string) => ({ header: { uat: 1 }, text });

test("the very same text has the content that it had", () => {
  const { recent } = world();
  recent.keep(sealed("a"), opened("A"));
  recent.keep(sealed("b"), opened("B"));
  expect(recent.of(sealed("a").value)).toEqual(opened("A"));
  expect(recent.of(sealed("b").value)).toEqual(opened("B"));
  expect(recent.of(sealed("c").value)).toBeUndefined();
});

test("a changed text that ends like one that was opened is another text [ATK-108]", () => {
  const { recent } = world();
  recent.keep(sealed("genuine", "tag"), opened("A"));
  expect(recent.of(sealed("changed", "tag").value)).toBeUndefined();
  expect(recent.of(sealed("genuine", "tag").value)).toEqual(opened("A"));
});

test("of two that end alike the last is known", () => {
  const { recent } = world();
  recent.keep(sealed("one", "tag"), opened("A"));
  recent.keep(sealed("two", "tag"), opened("B"));
  expect(recent.of(sealed("one", "tag").value)).toBeUndefined();
  expect(recent.of(sealed("two", "tag").value)).toEqual(opened("B"));
});

describe("what is kept", () => {
  test("is forgotten after two generations without a question", () => {
    const { recent, pass } = world();
    recent.keep(sealed("a"), opened("A"));
    pass(2 * generationMs);
    expect(recent.of(sealed("a").value)).toBeUndefined();
  });

  test("stays as long as it is asked for", () => {
    const { recent, pass } = world();
    recent.keep(sealed("a"), opened("A"));
    for (let count = 0; count < 10; count += 1) {
      pass(generationMs);
      expect(recent.of(sealed("a").value)).toEqual(opened("A"));
    }
  });

  test("has a bound: what is new drives out what nobody asks for", () => {
    const { recent } = world(1000);
    const known = () =>
      Array.from({ length: 200 }, (_, index) => recent.of(sealed(`${index}`).value)).filter(
        Boolean,
      );
    for (let index = 0; index < 200; index += 1) {
      recent.keep(sealed(`${index}`), opened(""));
      expect(recent.of(sealed("0").value)).toBeDefined();
    }
    expect(recent.of(sealed("199").value)).toBeDefined();
    expect(known().length).toBeLessThan(2 * Math.ceil(1000 / sealed("0").value.length) + 2);
  });

  test("is nothing where a generation lasts no time", () => {
    const recent = createRecentlyOpened({ clock: () => 5, charactersAtMost: 0, generationMs: 0 });
    recent.keep(sealed("a"), opened("A"));
    expect(recent.of(sealed("a").value)).toBeUndefined();
  });

  test("may be larger than all that may be kept", () => {
    const { recent } = world(10);
    const large = sealed("x".repeat(100));
    recent.keep(large, opened("A"));
    expect(recent.of(large.value)).toEqual(opened("A"));
  });
});
