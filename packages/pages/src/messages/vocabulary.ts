import compile from "icu-minify/compile";

import { chooseLanguage } from "./accept-language.ts";
import { keepLatest } from "./keep-latest.ts";
import { defaultLanguage, type Catalogue, type Languages, type MessageKey } from "./catalogue.ts";
import { createWords, type CompiledMessage, type Names, type Words } from "./words.ts";

/** Every language of the app, compiled as far as it has been needed. */
export interface Vocabulary {
  /** The words for a person, from the `Accept-Language` of the request. */
  wordsFor(acceptLanguage: string | null | undefined): Words;
}

/** Reads the catalogues. A message is compiled when it is first used. */
export function createVocabulary(names: Names, languages: Languages): Vocabulary {
  const tags = new Set(languages.keys());
  const sources = new Map([...languages].map(([tag, it]) => [tag, compiledSource(it)]));
  const speak = keepLatest((language: string, locale: string): Words => {
    const source = sources.get(language);
    if (source === undefined) throw new Error(`There is no catalogue for "${language}".`);
    const [supported = language] = Intl.DateTimeFormat.supportedLocalesOf([locale]);
    return createWords({ language, locale: supported, names, source });
  });
  return {
    wordsFor: keepLatest((acceptLanguage: string | null | undefined) => {
      const { language, locale } = chooseLanguage(acceptLanguage, tags, defaultLanguage);
      return speak(language, locale);
    }),
  };
}

function compiledSource(catalogue: Catalogue): (key: MessageKey) => CompiledMessage {
  const compiled = new Map<MessageKey, CompiledMessage>();
  return (key) => {
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const made = compile(catalogue[key]);
    compiled.set(key, made);
    return made;
  };
}
