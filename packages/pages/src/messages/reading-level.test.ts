import { expect, test } from "vitest";

import { catalogues } from "./catalogues.support.ts";

/** Texts for visitors; texts of the first run, for developers, are not measured. */
const sentences = Object.entries(catalogues.get("en") ?? {})
  .filter(([key]) => !/^(?:language|setup|shell\.title|when)\b/.test(key))
  .flatMap(([, message]) => sentencesOf(message));

function sentencesOf(message: string): string[] {
  const spoken = message
    .replaceAll(/\{\w+, plural, one \{[^}]*\} other \{([^}]*)\}\}/g, "$1")
    .replaceAll(/<\/?\w+>/g, "")
    .replaceAll(/\{\w+\}/g, "Ada")
    .replaceAll("#", "60");
  return spoken.split(/(?<=[.?!])\s+| - |: /).filter((sentence) => /[a-z]/i.test(sentence));
}

function wordsOf(sentence: string): string[] {
  return sentence.match(/[a-z']+|\d+/gi) ?? [];
}

/** Groups of vowels, less a silent e: near enough for an average over hundreds of words. */
function syllablesOf(word: string): number {
  const groups =
    word
      .toLowerCase()
      .replace(/e$/, "")
      .match(/[aeiouy]+/g)?.length ?? 0;
  return Math.max(1, groups);
}

test("visitors read short sentences of short words", () => {
  const lengths = sentences.map((sentence) => wordsOf(sentence).length);
  const words = sentences.flatMap(wordsOf);
  const meanLength = words.length / sentences.length;
  const meanSyllables = words.map(syllablesOf).reduce((sum, each) => sum + each) / words.length;
  const readingEase = 206.835 - 1.015 * meanLength - 84.6 * meanSyllables;

  expect(meanLength).toBeLessThanOrEqual(12);
  expect(sentences.filter((sentence) => wordsOf(sentence).length > 22)).toEqual([]);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(22);
  expect(readingEase).toBeGreaterThanOrEqual(75);
});

test("visitors read no jargon", () => {
  const jargon =
    /\b(?:token|callback|authenticat\w*|authoris\w*|authoriz\w*|oauth|oidc|openid|csrf|nonce|redirect\w*|idp|jwt|invalid|oops)\b/i;
  expect(sentences.filter((sentence) => jargon.test(sentence))).toEqual([]);
});

test("every English text is spelled as in America", () => {
  const british =
    /\b\w*(?:(?:organ|recogn|author|custom|real|final)is|(?:col|fav|behavi|neighb)our|centre|cancell(?:ed|ing)\b|licence)\w*/i;
  const all = Object.values(catalogues.get("en") ?? {}).map((text) =>
    text.replaceAll(/\{\w+\}|<[^>]*>/g, ""),
  );
  expect(all.filter((text) => british.test(text))).toEqual([]);
});

test("no page speaks of a session", () => {
  expect(sentences.filter((sentence) => /\bsessions?\b/i.test(sentence))).toEqual([]);
});

test("words which users did not understand do not come back", () => {
  const replaced =
    /\b(?:go there|in any case|whatever you do|it had open|take you on|usually short|we found|for programs|too much attached|(?:the|a) note\b.*\bbrowser)\b/i;
  expect(sentences.filter((sentence) => replaced.test(sentence))).toEqual([]);
});

test("in no language a hyphen stands between facts, or three dots for an ellipsis", () => {
  const all = [...catalogues].flatMap(([tag, catalogue]) =>
    Object.entries(catalogue).map(([key, text]) => `${tag} ${key}: ${text}`),
  );
  expect(all.filter((text) => / - |\.\.\./.test(text))).toEqual([]);
});
