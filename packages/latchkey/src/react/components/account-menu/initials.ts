import type { Claims } from "../../client/claims.ts";
import { textClaim } from "../../client/text-claim.ts";

/** Returns the first of name, user name, nickname, email address and `sub`. */
export function displayName(user: Claims): string {
  const { name, preferred_username: userName, nickname, email, sub } = user;
  return [name, userName, nickname, email].map(textClaim).find(Boolean) ?? sub;
}

/**
 * Returns the initials of the first and the last word, in capitals. Skips symbols at the start of a
 * word; a name of symbols alone gives `?`. An email address counts up to its `@`. An emoji is one
 * initial.
 */
export function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/);
  const [only = ""] = parts;
  const at = parts.length === 1 ? only.indexOf("@") : -1;
  const words = at > 0 ? only.slice(0, at).split(/[.\-_+]/) : parts;
  const [first = "?", ...others] = words.flatMap((word) => initialOf(word) ?? []);
  const last = others.at(-1) ?? "";
  // Joining letters, as in Arabic, would become another letter.
  const between = /\p{Script=Arabic}/u.test(first + last) && last !== "" ? "\u200C" : "";
  return (first + between + last).toLocaleUpperCase();
}

function initialOf(word: string): string | undefined {
  // Splitting into graphemes is slow, and not needed for letters.
  const letter = /^[^\p{L}\p{N}\p{Extended_Pictographic}]*([\p{L}\p{N}]\p{M}*)/u.exec(word);
  if (letter !== null) return letter[1];
  const graphemes = Array.from(segmenter.segment(word), ({ segment }) => segment);
  return graphemes.find((grapheme) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(grapheme));
}

const segmenter = new Intl.Segmenter("en");
