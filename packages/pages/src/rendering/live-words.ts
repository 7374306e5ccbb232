import type { Words as ComponentWords } from "latchkey/react";

import { contentHash } from "./content-hash.ts";
import { componentWords } from "../messages/component-words.ts";
import type { Vocabulary } from "../messages/vocabulary.ts";
import type { Words } from "../messages/words.ts";

/**
 * The texts of the sign-in components, one file a language: browsers load it when an island
 * hydrates.
 */
export interface LiveWords {
  /** The texts for a page. */
  of(words: Words): ComponentWords;
  /** Path of the file; it changes with what is in the file. */
  pathOf(language: string): string;
  /** The file at a path; JSON. */
  fileAt(path: string): string | undefined;
}

/** Renders the texts of every language once. */
export function createLiveWords(vocabulary: Vocabulary, tags: Iterable<string>): LiveWords {
  const made = new Map([...tags].map((tag) => [tag, fileOf(tag, vocabulary)]));
  const byPath = new Map([...made.values()].map(({ path, json }) => [path, json]));
  const ofWords = new WeakMap<Words, ComponentWords>();
  const known = (language: string) => {
    const file = made.get(language);
    if (file === undefined) throw new Error(`There is no file for "${language}".`);
    return file;
  };
  return {
    of: (words) => {
      const { language, locale } = words;
      const texts = ofWords.get(words) ?? { ...known(language).words, lang: locale };
      ofWords.set(words, texts);
      return texts;
    },
    pathOf: (language) => known(language).path,
    fileAt: (path) => byPath.get(path),
  };
}

function fileOf(language: string, vocabulary: Vocabulary) {
  const words = componentWords(vocabulary.wordsFor(language));
  const json = JSON.stringify(words);
  return { words, json, path: `/assets/words-${language}-${contentHash(json)}.json` };
}
