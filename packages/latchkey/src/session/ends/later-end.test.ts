import { expect, test } from "vitest";

import { formatLaterEnd, parseLaterEnd } from "./later-end.ts";

test("a later end is read as it was written", () => {
  const end = { at: 1_800_000_000, by: "session-2" };
  expect(parseLaterEnd(formatLaterEnd(end))).toEqual(end);
});

test.each([
  "",
  "1800000000000",
  "x later 20 one",
  "later 20 one two",
  "later 20 ",
  "later one",
  "later 1234567890123 one",
])("another mark is no later end: %j", (text) => {
  expect(parseLaterEnd(text)).toBeNull();
});
