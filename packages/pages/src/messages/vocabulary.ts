import { chooseLanguage } from "./accept-language.ts";
import { keepLatest } from "./keep-latest.ts";
import { defaultLanguage, type Languages } from "./catalogue.ts";
import { createWords, type Names, type Words } from "./words.ts";

/** Every language of the app. */
export interface Vocabulary {
  /** The words for a person, from the `Accept-Language` of the request. */
  wordsFor(acceptLanguage: string | null | undefined): Words;
}

/** Makes the words of a language when they are first needed. */
export function createVocabulary(names: Names, languages: Languages): Vocabulary {
  const tags = new Set(languages.keys());
  const speak = keepLatest((language: string, locale: string): Words => {
    const catalogue = languages.get(language);
    if (catalogue === undefined) throw new Error(`There is no catalogue for "${language}".`);
    const [supported = language] = Intl.DateTimeFormat.supportedLocalesOf([locale]);
    return createWords({ language, locale: supported, names, catalogue });
  });
  return {
    wordsFor: keepLatest((acceptLanguage: string | null | undefined) => {
      const { language, locale } = chooseLanguage(acceptLanguage, tags, defaultLanguage);
      return speak(language, locale);
    }),
  };
}
