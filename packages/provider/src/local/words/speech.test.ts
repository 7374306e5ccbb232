import { describe, expect, it } from "vitest";
import { languages } from "./languages.ts";
import { chooseSpeech } from "./speech.ts";

describe("the language of a page", () => {
  it.each([
    [undefined, undefined, "en"],
    [undefined, "de-AT,de;q=0.9,en;q=0.8", "de"],
    [undefined, "xx, fr;q=0.2, pt-PT;q=0.9", "pt-BR"],
    ["ja ar", "de", "ja"],
    ["xx", "pl", "pl"],
    [["ja"], "*", "en"],
    ["", "de;q=0, nl;q=oops, es", "es"],
  ])(
    "is chosen from ui_locales %j and Accept-Language %j: %s",
    (uiLocales, acceptLanguage, language) => {
      expect(chooseSpeech({ uiLocales, acceptLanguage }).language).toBe(language);
    },
  );

  it.each([...languages])("names in %s what the English sentence names", (_tag, words) => {
    const english = languages.get("en");
    const namesIn = (sentence: unknown) =>
      String(sentence)
        .match(/\{\w+\}/gu)
        ?.toSorted() ?? [];
    for (const [key, sentence] of Object.entries(words)) {
      expect(namesIn(sentence)).toEqual(namesIn(Object(english)[key]));
    }
  });
});
