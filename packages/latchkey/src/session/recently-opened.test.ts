import { describe, expect, test } from "vitest";

import { createRecentlyOpened } from "./recently-opened.ts";

const generationMs = 60_000;

function world(charactersAtMost = 10_000) {
  let now = 1_000_000;
  const recent = createRecentlyOpened({ clock: () => now, charactersAtMost, generationMs });
  return {
    recent,
    pass: (milliseconds: number) => (now += milliseconds),
    keepTwice(sealed: string, opened: ReturnType<typeof content>) {
      recent.keep(sealed, opened);
      recent.keep(sealed, opened);
    },
  };
}

/** A sealed text with its tag at the end. */
function sealedText(body: string, tag = body): string {
  return `${body}.${tag.padEnd(22, "t").slice(0, 22)}`;
}

const content = (text: string) => ({ header: { uat: 1 }, text });

test("what was opened twice is known, what was opened once is not", () => {
  const { recent } = world();
  recent.keep(sealedText("a"), content("A"));
  expect(recent.of(sealedText("a"))).toBeUndefined();
  recent.keep(sealedText("a"), content("A"));
  recent.keep(sealedText("b"), content("B"));
  expect(recent.of(sealedText("a"))).toEqual(content("A"));
  expect(recent.of(sealedText("b"))).toBeUndefined();
});

test("a changed text that ends like one that is known is another text [ATK-108]", () => {
  const { recent, keepTwice } = world();
  keepTwice(sealedText("genuine", "tag"), content("A"));
  expect(recent.of(sealedText("changed", "tag"))).toBeUndefined();
  expect(recent.of(sealedText("genuine", "tag"))).toEqual(content("A"));
});

test("of two that end alike the last is known", () => {
  const { recent, keepTwice } = world();
  keepTwice(sealedText("one", "tag"), content("A"));
  keepTwice(sealedText("two", "tag"), content("B"));
  expect(recent.of(sealedText("one", "tag"))).toBeUndefined();
  expect(recent.of(sealedText("two", "tag"))).toEqual(content("B"));
});

describe("what is kept", () => {
  test("is forgotten after two generations without a question", () => {
    const { recent, pass, keepTwice } = world();
    keepTwice(sealedText("a"), content("A"));
    pass(2 * generationMs);
    expect(recent.of(sealedText("a"))).toBeUndefined();
  });

  test("stays as long as it is asked for", () => {
    const { recent, pass, keepTwice } = world();
    keepTwice(sealedText("a"), content("A"));
    for (let count = 0; count < 10; count += 1) {
      pass(generationMs);
      expect(recent.of(sealedText("a"))).toEqual(content("A"));
    }
  });

  test("has a bound: what is new drives out what nobody asks for", () => {
    const { recent, keepTwice } = world(1000);
    const texts = Array.from({ length: 200 }, (_, index) => sealedText(`${index}.`));
    const [first = ""] = texts;
    for (const each of texts) {
      keepTwice(each, content(""));
      expect(recent.of(first)).toBeDefined();
    }
    const known = texts.filter((each) => recent.of(each) !== undefined);
    expect(known).toContain(texts.at(-1));
    expect(known.length).toBeLessThan(2 * Math.ceil(1000 / first.length) + 2);
  });

  test("is nothing where a generation lasts no time", () => {
    const recent = createRecentlyOpened({ clock: () => 5, charactersAtMost: 0, generationMs: 0 });
    recent.keep(sealedText("a"), content("A"));
    recent.keep(sealedText("a"), content("A"));
    expect(recent.of(sealedText("a"))).toBeUndefined();
  });
});
