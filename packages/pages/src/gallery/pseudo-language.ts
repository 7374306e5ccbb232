import type { Catalogue } from "../messages/catalogue.ts";

/** Tag of the pseudo language: private use (RFC 5646, section 2.2.7). */
export const pseudoTag = "qps";

const plain = "AEIOUYaceinouysz";
const accented = "ÅÉÎÖÛÝáçéîñöûýšž";

/**
 * English that shows the effect of a translation: letters have accents, and every text is a third
 * longer. Text without accents is in no catalogue.
 */
export function pseudoLanguage(english: Catalogue): Catalogue {
  const names = Object.keys(english) as (keyof Catalogue)[];
  const entries = names.map((name) => [name, pseudoMessage(name, english[name])]);
  return Object.fromEntries(entries) as Catalogue;
}

function pseudoMessage(name: keyof Catalogue, message: string): string {
  if (name === "language.direction") return message;
  const words = message.replaceAll(/\{[^}]*\}|<[^>]*>/g, "");
  return textsIn(message).map(pseudoPiece).join("") + " ~".repeat(Math.ceil(words.length / 6));
}

interface Piece {
  readonly text: string;
  /** Whether people read it; the rest is syntax of ICU, or a tag. */
  readonly isRead: boolean;
}

/** Takes a message apart: braces open syntax, and within syntax they open text again. */
function textsIn(message: string): readonly Piece[] {
  let depth = 0;
  return message.split(/([{}]|<[^>]*>)/).map((text) => {
    if (text === "{") depth += 1;
    if (text === "}") depth -= 1;
    return { text, isRead: depth % 2 === 0 && !/^[{}<]/.test(text) };
  });
}

function pseudoPiece({ text, isRead }: Piece): string {
  if (!isRead) return text;
  return text.replaceAll(/[A-Za-z]/g, (letter) => accented[plain.indexOf(letter)] ?? letter);
}
