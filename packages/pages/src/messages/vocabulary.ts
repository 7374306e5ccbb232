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

/** The vocabulary of an app with these names. */
export function createVocabulary(names: Names, languages: Languages): Vocabulary {
  return createVocabularies(languages)(names);
}

/**
 * Returns what makes the vocabulary of each site. Words are made when they are needed, and kept
 * from their second use on, in one place for all sites: a client chooses the names of hosts.
 */
export function createVocabularies(languages: Languages): (names: Names) => Vocabulary {
  const tags = new Set(languages.keys());
  const chosen = keepLatest((acceptLanguage: string | null | undefined) =>
    chooseLanguage(acceptLanguage, tags, defaultLanguage),
  );
  const placeOf = keepLatest((..._key: [language: string, locale: string, names: Names]): Place => {
    return { isUsed: false, words: undefined };
  });
  function speak(language: string, locale: string, names: Names): Words {
    const place = placeOf(language, locale, names);
    const words = place.words ?? wordsOf(language, locale, names);
    if (place.isUsed) place.words = words;
    place.isUsed = true;
    return words;
  }
  function wordsOf(language: string, locale: string, names: Names): Words {
    const catalogue = languages.get(language);
    if (catalogue === undefined) throw new Error(`There is no catalogue for "${language}".`);
    const [supported = language] = Intl.DateTimeFormat.supportedLocalesOf([locale]);
    return createWords({ language, locale: supported, names, catalogue });
  }
  return (given) => ({
    wordsFor(acceptLanguage, provider) {
      const { language, locale } = chosen(acceptLanguage);
      return speak(language, locale, provider === undefined ? given : { ...given, provider });
    },
  });
}

/** Where words are kept. */
interface Place {
  isUsed: boolean;
  words: Words | undefined;
}
