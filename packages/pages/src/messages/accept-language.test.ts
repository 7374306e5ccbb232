import { expect, test } from "vitest";

import { chooseLanguage } from "./accept-language.ts";

const available = new Set(["ar", "de", "en", "pt-BR"]);
const choose = (header: string | null) => chooseLanguage(header, available, "en");

test("the available language of the highest weight is chosen", () => {
  expect(choose("fr, de;q=0.5, ar;q=0.9")).toEqual({ language: "ar", locale: "ar" });
});

test("the first of several languages of the same weight is chosen", () => {
  expect(choose("de,en")).toEqual({ language: "de", locale: "de" });
});

test("the locale keeps the region of the language, and not the script", () => {
  expect(choose("de-at, en")).toEqual({ language: "de", locale: "de-AT" });
  expect(choose("ar-Arab-EG")).toEqual({ language: "ar", locale: "ar-EG" });
});

test("a language with one available region is chosen for every region", () => {
  expect(choose("pt")).toEqual({ language: "pt-BR", locale: "pt" });
  expect(choose("pt-pt, en")).toEqual({ language: "pt-BR", locale: "pt-PT" });
});

test("English without a region formats dates as in Britain", () => {
  expect(choose("en")).toEqual({ language: "en", locale: "en-GB" });
  expect(choose("en-us")).toEqual({ language: "en", locale: "en-US" });
  expect(choose(null)).toEqual({ language: "en", locale: "en-GB" });
});

test("a language of weight 0 is not chosen", () => {
  expect(choose("de;q=0, ar;q=0.1").language).toBe("ar");
});

test.each([null, "", "*", ";;;", "de-u-nu-thai", "d".repeat(100_000), "fr;q=x"])(
  "English is chosen for the header %j",
  (header) => {
    expect(choose(header).language).toBe("en");
  },
);
