import { describe, expect, test } from "vitest";

import { endsSignIn, formatMark, isNewer, parseMark } from "./mark.ts";

/** True time of the tests, in seconds. */
const noon = 1_800_000_000;

/** A sign-in that began then, seen by an instance whose clock is ahead by some seconds. */
const signIn = (at: number, ahead = 0) => ({
  started: (noon + at + ahead) * 1000,
  issued: Math.floor(noon + at),
});

/** A logout token of that moment, delivered to an instance whose clock is ahead by some seconds. */
const logoutToken = (at: number, ahead = 0) => ({
  at: (noon + at + ahead) * 1000,
  issued: Math.floor(noon + at),
});

const apartness = [-60, -5, 0, 5, 60];
const pairs = apartness.flatMap((one) => apartness.map((other) => [one, other] as const));

test.each(pairs)(
  "with clocks that are %i s and %i s ahead, a logout token ends a sign-in of an earlier second and none of a later one",
  (signedInBy, markedBy) => {
    const mark = logoutToken(2.5, markedBy);
    expect(endsSignIn(mark, signIn(0.2, signedInBy))).toBe(true);
    expect(endsSignIn(mark, signIn(1.9, signedInBy))).toBe(true);
    expect(endsSignIn(mark, signIn(3.1, signedInBy))).toBe(false);
    expect(endsSignIn(mark, signIn(9.9, signedInBy))).toBe(false);
  },
);

test("within one second of the provider, our clocks show which came first", () => {
  expect(endsSignIn(logoutToken(0.5), signIn(0.2))).toBe(true);
  expect(endsSignIn(logoutToken(0.5), signIn(0.6))).toBe(false);
});

test.each([
  [{ at: 5000 }, { started: 4999, issued: 9000 }, true],
  [{ at: 5000 }, { started: 5000, issued: 1 }, false],
  [{ at: 5000, issued: 9000 }, { started: 4999 }, true],
  [{ at: 5000, issued: 1 }, { started: 5000 }, false],
])("without a time of the provider in both, our clocks count: %j and %j", (mark, times, ended) => {
  expect(endsSignIn(mark, times)).toBe(ended);
});

describe("the text of a mark", () => {
  test.each([
    { at: 1_763_700_000_123 },
    { at: 1_763_700_000_123, issued: 1_763_700_001 },
    { at: 5, issued: 7 },
  ])("holds both times: %j", (mark) => {
    expect(parseMark(formatMark(mark))).toEqual(mark);
  });

  test("is a number to the release before, so both agree on it [OP-065]", () => {
    const text = formatMark({ at: 1_763_700_000_123, issued: 1_763_700_001 });
    expect(text).toMatch(/^\d{1,15}(?:\.\d+)?$/);
    expect(Number(text)).toBeCloseTo(1_763_700_000_123, -1);
  });

  test.each(["", "soon", "-1", "1e3", "1.5.2", "0x10"])("is nothing else: %j", (text) => {
    expect(parseMark(text)).toBeNull();
  });

  test("of the release before may have a fraction of a millisecond", () => {
    expect(parseMark("5000.25")).toEqual({ at: 5000.25 });
  });
});

test("the provider's clock decides which of two marks is newer, if both have it", () => {
  expect(isNewer({ at: 1, issued: 9 }, { at: 8000, issued: 8 })).toBe(true);
  expect(isNewer({ at: 9000, issued: 8 }, { at: 1, issued: 9 })).toBe(false);
  expect(isNewer({ at: 9000, issued: 8 }, { at: 8500 })).toBe(false);
  expect(isNewer({ at: 8600, issued: 8 }, { at: 8500, issued: 8 })).toBe(true);
  expect(isNewer({ at: 8500, issued: 8 }, { at: 8600, issued: 8 })).toBe(false);
  expect(isNewer({ at: 1, issued: 9 }, { at: 8500 })).toBe(true);
});
