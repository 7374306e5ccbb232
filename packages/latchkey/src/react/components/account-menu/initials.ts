import { type Claims, textClaim } from "../../client/claims.ts";

/**
 * What to call the person: the first of name, user name, nickname, email address and `sub` that is
 * there.
 */
export function displayName(user: Claims): string {
  const { name, preferred_username: userName, nickname, email, sub } = user;
  return [name, userName, nickname, email].map(textClaim).find(Boolean) ?? sub;
}

/**
 * The initials of a name: of its first and its last word, in capitals. Signs at the start of a word
 * are passed over, a name of signs alone gives `?`. An email address counts up to its `@`, and a
 * word that is an emoji is one initial.
 */
export function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/);
  const [only = ""] = parts;
  const at = parts.length === 1 ? only.indexOf("@") : -1;
  const words = at > 0 ? only.slice(0, at).split(/[.\-_+]/) : parts;
  const initials = words.flatMap((word) => initialOf(word) ?? []);
  const first = initials[0] ?? "?";
  const last = initials.length > 1 ? (initials.at(-1) ?? "") : "";
  // Letters that join, as in Arabic, would become another one.
  const between = /\p{Script=Arabic}/u.test(first + last) && last !== "" ? "\u200C" : "";
  return (first + between + last).toLocaleUpperCase();
}

function initialOf(word: string): string | undefined {
  // Making graphemes takes long, and letters are found without.
  const letter = /^[^\p{L}\p{N}\p{Extended_Pictographic}]*([\p{L}\p{N}]\p{M}*)/u.exec(word);
  if (letter !== null) return letter[1];
  const graphemes = Array.from(segmenter.segment(word), ({ segment }) => segment);
  return graphemes.find((grapheme) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(grapheme));
}

const segmenter = new Intl.Segmenter("en");
