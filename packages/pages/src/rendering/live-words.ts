import type { Words as ComponentWords } from "latchkey/react";

import { contentHash } from "./content-hash.ts";
import { componentWords } from "../messages/component-words.ts";
import type { Languages } from "../messages/catalogue.ts";
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

/** Renders the texts of a language when a page or a browser first needs them. */
export function createLiveWords(
  vocabulary: Vocabulary,
  languages: Pick<Languages, "has">,
): LiveWords {
  const made = new WeakMap<Words, WordsFile>();
  const ofWords = new WeakMap<Words, ComponentWords>();
  function known(language: string): WordsFile {
    if (!languages.has(language)) throw new Error(`There is no file for "${language}".`);
    const words = vocabulary.wordsFor(language);
    const file = made.get(words) ?? fileOf(words);
    made.set(words, file);
    return file;
  }
  return {
    of: (words) => {
      const { language, locale } = words;
      const texts = ofWords.get(words) ?? { ...known(language).words, lang: locale };
      ofWords.set(words, texts);
      return texts;
    },
    pathOf: (language) => known(language).path,
    fileAt(path) {
      const [, language = ""] = /^\/assets\/words-(.+)-[\w-]+\.json$/.exec(path) ?? [];
      const file = languages.has(language) ? known(language) : null;
      return file?.path === path ? file.json : undefined;
    },
  };
}

interface WordsFile {
  readonly words: ComponentWords;
  readonly json: string;
  readonly path: string;
}

function fileOf(words: Words): WordsFile {
  const texts = componentWords(words);
  const json = JSON.stringify(texts);
  return { words: texts, json, path: `/assets/words-${words.language}-${contentHash(json)}.json` };
}
