import { describe, expect, test } from "vitest";
import {
  dayInWords,
  fill,
  remainingInWords,
  remainingOnClock,
  durationInWords,
} from "./phrases.tsx";
import { english } from "./words.ts";

describe("durations", () => {
  test.each([
    ["en", 604_800, "7 days"],
    ["en", 86_400, "1 day"],
    ["en", 129_600, "1 day 12 hours"],
    ["en", 5_400, "1 hour 30 minutes"],
    ["en", 60, "1 minute"],
    ["en", 45, "45 seconds"],
    ["de", 172_800, "2 Tage"],
    ["ar-u-nu-latn", 10_800, "3 ساعات"],
  ])("in the language %s, %s seconds are %s", (lang, seconds, words) => {
    expect(durationInWords(lang, seconds)).toBe(words);
  });

  test.each([
    [300, "5 minutes"],
    [121, "3 minutes"],
    [120, "2 minutes"],
    [61, "2 minutes"],
    [60, "1 minute"],
    [59, "59 seconds"],
    [1, "1 second"],
    [0, "1 second"],
    [-5, "1 second"],
  ])("%s remaining seconds are %s", (seconds, words) => {
    expect(remainingInWords("en", seconds)).toBe(words);
  });

  test("a clock shows minutes and seconds, and never less than 0:00", () => {
    expect([125, 60, 9, 0, -3].map(remainingOnClock)).toEqual([
      "2:05",
      "1:00",
      "0:09",
      "0:00",
      "0:00",
    ]);
  });

  test("a day is written with its weekday", () => {
    expect(dayInWords("de", 1_800_000_000)).toBe("Freitag, 15. Januar");
  });
});

describe("texts", () => {
  test("placeholders are filled in, with a capital at the start of the text", () => {
    expect(fill("{app} was {what}.", { app: "this app" })).toBe("This app was {what}.");
    expect(fill("You left {app}.", { app: "this app" })).toBe("You left this app.");
  });

  test("the texts use only placeholders known to the components", () => {
    const known = "app provider name left clock length time date page email".split(" ");
    const used = Object.values(english).flatMap((text: string) => text.match(/(?<=\{)\w+/g) ?? []);
    expect(used.filter((name) => !known.includes(name))).toEqual([]);
  });

  test("the texts have no jargon, and at most 22 words in a sentence", () => {
    const all = Object.values(english).join("\n");
    expect(all).not.toMatch(/\b(session|token|state|callback|expired?|invalid|oops)\b/i);
    const sentences = all.split(/[.?]\s|\n/).map((sentence) => sentence.split(/\s+/).length);
    expect(Math.max(...sentences)).toBeLessThanOrEqual(22);
  });
});
