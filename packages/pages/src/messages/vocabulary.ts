import { chooseLanguage } from "./accept-language.ts";
import { keepLatest } from "./keep-latest.ts";
import { defaultLanguage, type Languages } from "./catalogue.ts";
import { createWords, type Names, type Words } from "./words.ts";

/** Every language of the app. */
export interface Vocabulary {
  /**
   * The words for a person, from the `Accept-Language` of the request.
   *
   * @param provider - what they call the provider; by default as the app does
   */
  wordsFor(acceptLanguage: string | null | undefined, provider?: string): Words;
}

/** Makes the words of a language when they are first needed. */
export function createVocabulary(given: Names, languages: Languages): Vocabulary {
  const tags = new Set(languages.keys());
  const speak = keepLatest((language: string, locale: string, provider?: string): Words => {
    const catalogue = languages.get(language);
    if (catalogue === undefined) throw new Error(`There is no catalogue for "${language}".`);
    const [supported = language] = Intl.DateTimeFormat.supportedLocalesOf([locale]);
    const names = provider === undefined ? given : { ...given, provider };
    return createWords({ language, locale: supported, names, catalogue });
  });
  return {
    wordsFor: keepLatest((acceptLanguage: string | null | undefined, provider?: string) => {
      const { language, locale } = chooseLanguage(acceptLanguage, tags, defaultLanguage);
      return speak(language, locale, provider);
    }),
  };
}
