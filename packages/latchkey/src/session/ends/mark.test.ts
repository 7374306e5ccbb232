import { describe, expect, test } from "vitest";

import { endsSignIn, formatMark, isNewer, parseMark } from "./mark.ts";

/** True time of the tests, in seconds; each clock is apart from it. */
const noon = 1_800_000_000;

/** A sign-in that took so many seconds from login to ID token, seen by an instance whose clock is apart. */
function signIn(at: number, { apart = 0, took = 0.1, isSeenWhole = true } = {}) {
  return {
    started: (noon + at + apart) * 1000,
    issued: Math.floor(noon + at + took),
    ...(isSeenWhole ? { took: took * 1000 } : {}),
  };
}

/** A logout token of that moment, delivered to an instance whose clock is apart. */
function logoutToken(at: number, { apart = 0 } = {}) {
  return { at: (noon + at + apart) * 1000, issued: Math.floor(noon + at) };
}

const apartness = [-5, 0, 5];
const pairs = apartness.flatMap((one) => apartness.map((other) => [one, other] as const));

describe.each(pairs)("with clocks that are %i s and %i s apart", (signedInBy, markedBy) => {
  test.each([true, false])(
    "a sign-in before the logout has ended, one after it lives (seen whole: %s)",
    (isSeenWhole) => {
      const mark = logoutToken(2.5, { apart: markedBy });
      const by = { apart: signedInBy, isSeenWhole };
      expect(endsSignIn(mark, signIn(0.2, by))).toBe(true);
      expect(endsSignIn(mark, signIn(1.2, by))).toBe(true);
      expect(endsSignIn(mark, signIn(3.2, by))).toBe(false);
      expect(endsSignIn(mark, signIn(9.9, by))).toBe(false);
    },
  );

  test("a sign-in that was under way for seconds while the logout happened has ended", () => {
    const mark = logoutToken(2.5, { apart: markedBy });
    expect(endsSignIn(mark, signIn(0, { apart: signedInBy, took: 8 }))).toBe(true);
  });
});

describe("within one second", () => {
  test("clocks that agree tell which came first", () => {
    expect(endsSignIn(logoutToken(0.5), signIn(0.2))).toBe(true);
    expect(endsSignIn(logoutToken(0.5), signIn(0.6))).toBe(false);
    expect(endsSignIn(logoutToken(0.9), signIn(0.8, { took: 0.4 }))).toBe(true);
    expect(endsSignIn(logoutToken(0.5, { apart: 1 }), signIn(0.6, { apart: 1 }))).toBe(false);
  });

  test.each([true, false])(
    "a sign-in ends in doubt where clocks differ (seen whole: %s)",
    (isSeenWhole) => {
      const before = signIn(0.2, { apart: 5, isSeenWhole });
      expect(endsSignIn(logoutToken(0.5), before)).toBe(true);
      expect(endsSignIn(logoutToken(0.5, { apart: -5 }), before)).toBe(true);
      expect(endsSignIn(logoutToken(0.5, { apart: -5 }), signIn(0.2, { isSeenWhole }))).toBe(true);
    },
  );

  test("a sign-in of the very millisecond of the mark is a later one", () => {
    expect(endsSignIn({ at: 5000 }, { started: 5000 })).toBe(false);
    expect(endsSignIn({ at: 5001 }, { started: 5000 })).toBe(true);
  });
});

test.each([
  ["of one second, seen by two instances, started before", { started: 4999, issued: 7 }, true],
  ["of one second, seen by two instances, started after", { started: 5000, issued: 7 }, false],
  [
    "a whole second before, by the provider's clock",
    { started: 5000, issued: 7, took: 1000 },
    true,
  ],
  [
    "of one second, by clocks that are two seconds apart",
    { started: 6500, issued: 7, took: 500 },
    true,
  ],
])("a sign-in and a logout %s", (_, times, ended) => {
  expect(endsSignIn({ at: 5000, issued: 7 }, times)).toBe(ended);
});

test.each([
  [{ at: 5000 }, { started: 4999, issued: 9000 }, true],
  [{ at: 5000 }, { started: 5000, issued: 1 }, false],
  [{ at: 5000, issued: 9000 }, { started: 4999 }, true],
  [{ at: 5000, issued: 1 }, { started: 5000 }, false],
])("where one of both has no time of the provider, ours count: %j and %j", (mark, times, ended) => {
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

  test("is a number to the release before, so that both agree on it [OP-065]", () => {
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

test("of two marks the newer one is told by the provider's clock, where both have it", () => {
  expect(isNewer({ at: 1, issued: 9 }, { at: 8000, issued: 8 })).toBe(true);
  expect(isNewer({ at: 9000, issued: 8 }, { at: 1, issued: 9 })).toBe(false);
  expect(isNewer({ at: 9000, issued: 8 }, { at: 8500 })).toBe(false);
  expect(isNewer({ at: 8600, issued: 8 }, { at: 8500, issued: 8 })).toBe(true);
  expect(isNewer({ at: 8500, issued: 8 }, { at: 8600, issued: 8 })).toBe(false);
  expect(isNewer({ at: 1, issued: 9 }, { at: 8500 })).toBe(true);
});
