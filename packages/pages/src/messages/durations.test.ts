import { expect, test } from "vitest";

import { agoInWords, durationInWords } from "./durations.ts";

test.each([
  [86_400, "1 day"],
  [604_800, "7 days"],
  [85_260, "23 hours 41 minutes"],
  [90_061, "1 day 1 hour"],
  [3600, "1 hour"],
  [61, "1 minute 1 second"],
  [59.9, "59 seconds"],
  [0, "0 seconds"],
  [-5, "0 seconds"],
])("%d seconds are called %s", (seconds, words) => {
  expect(durationInWords(seconds, "en")).toBe(words);
});

test("durations follow the plural rules of the language", () => {
  expect(durationInWords(2 * 3600, "ar-AE")).toBe("ساعتان");
  expect(durationInWords(86_400 + 3600, "de")).toBe("1 Tag, 1 Stunde");
});

test.each([
  [-5, "now"],
  [0, "now"],
  [59, "now"],
  [60, "1 minute ago"],
  [7199, "1 hour ago"],
  [7200, "2 hours ago"],
  [86_400, "1 day ago"],
  [9 * 86_400, "9 days ago"],
])("a moment %d seconds ago is called %s", (seconds, words) => {
  expect(agoInWords(seconds, "en")).toBe(words);
});

test("a past moment is called in the words of the language", () => {
  expect(agoInWords(7200, "de")).toBe("vor 2 Stunden");
  expect(agoInWords(7200, "ar-AE")).toBe("قبل ساعتين");
});
