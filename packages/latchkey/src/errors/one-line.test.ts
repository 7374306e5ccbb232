import { expect, test } from "vitest";

import { oneLine } from "./one-line.ts";

test.each([
  ["a line break", "a\nb"],
  ["a carriage return and a line break", "a\r\nb"],
  ["an escape character", "a\u001Bb"],
  ["a control character of the second block", "a\u0085b"],
  ["a line separator", "a\u2028b"],
  ["a mark that turns the direction of text", "a\u202Eb"],
])("oneLine() puts a space in the place of %s", (_, text) => {
  expect(oneLine(text)).toBe("a b");
});

test("oneLine() leaves other text as it is", () => {
  expect(oneLine("Grüße, 世界 — “ok”")).toBe("Grüße, 世界 — “ok”");
});
