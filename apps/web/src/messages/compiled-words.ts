import compile from "icu-minify/compile";

import { chooseLanguage, type LanguageChoice } from "./accept-language.ts";
import {
  defaultLanguage,
  languages as allLanguages,
  type Catalogue,
  type MessageKey,
} from "./languages.ts";
import { createWords, type CompiledMessage, type MessageSource, type Words } from "./words.ts";

/** Every language of the app, compiled as far as it has been needed. */
export interface Vocabulary {
  /** The words for a person, from the `Accept-Language` of the request. */
  wordsFor(acceptLanguage: string | null | undefined): Words;
  /** The compiled messages whose names start with one of the prefixes: what a live page takes along. */
  messagesFor(language: string, prefixes: readonly string[]): Record<string, CompiledMessage>;
}

/** Reads the catalogues. A message is compiled when it is first used. */
export function createVocabulary(
  languages: ReadonlyMap<string, Catalogue> = allLanguages,
): Vocabulary {
  const tags = new Set(languages.keys());
  const sources = new Map([...languages].map(([tag, it]) => [tag, compiledSource(it)]));
  const spoken = new Map<string, Words>();

  return {
    wordsFor: (acceptLanguage) => {
      const choice = chooseLanguage(acceptLanguage, tags, defaultLanguage);
      const known = spoken.get(choice.locale);
      if (known !== undefined) return known;
      const made = wordsOf(choice);
      spoken.set(choice.locale, made);
      return made;
    },
    messagesFor: (language, prefixes) => {
      const source = sourceOf(language);
      const keys = keysOf(languages.get(language)).filter((key) =>
        prefixes.some((prefix) => key.startsWith(prefix)),
      );
      return Object.fromEntries(keys.map((key) => [key, source(key)]));
    },
  };

  function wordsOf({ language, locale }: LanguageChoice): Words {
    const [supported = language] = Intl.DateTimeFormat.supportedLocalesOf([locale]);
    return createWords(language, supported, sourceOf(language));
  }

  function sourceOf(language: string): MessageSource {
    const source = sources.get(language);
    if (source === undefined) throw new Error(`There is no catalogue for "${language}".`);
    return source;
  }
}

function compiledSource(catalogue: Catalogue): MessageSource {
  const compiled = new Map<MessageKey, CompiledMessage>();
  return (key) => {
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const made = compile(catalogue[key]);
    compiled.set(key, made);
    return made;
  };
}

function keysOf(catalogue: Catalogue | undefined): MessageKey[] {
  return Object.keys(catalogue ?? {}).filter((key): key is MessageKey => key !== "");
}
