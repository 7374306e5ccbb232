import { expect, test } from "vitest";

import { chooseLanguage } from "./accept-language.ts";

const available = new Set(["ar", "de", "en"]);
const choose = (header: string | null) => chooseLanguage(header, available, "en");

test("takes the first language that there is, by weight", () => {
  expect(choose("fr, de;q=0.5, ar;q=0.9")).toEqual({ language: "ar", locale: "ar" });
});

test("takes them in order where the weights are the same", () => {
  expect(choose("de,en")).toEqual({ language: "de", locale: "de" });
});

test("keeps the region for dates and numbers, not the script", () => {
  expect(choose("de-at, en")).toEqual({ language: "de", locale: "de-AT" });
  expect(choose("ar-Arab-EG")).toEqual({ language: "ar", locale: "ar-EG" });
});

test("does not take a language of weight 0", () => {
  expect(choose("de;q=0, ar;q=0.1").language).toBe("ar");
});

test.each([null, "", "*", ";;;", "de-u-nu-thai", "d".repeat(100_000), "fr;q=x"])(
  "falls back to English for %j",
  (header) => {
    expect(choose(header).language).toBe("en");
  },
);
