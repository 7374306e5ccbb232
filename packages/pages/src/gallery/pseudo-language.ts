import type { Catalogue, Message } from "../messages/catalogue.ts";

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

function pseudoMessage(name: keyof Catalogue, message: Message): Message {
  if (name === "language.direction") return message;
  if (typeof message === "string") return withAccents(message) + longer(message);
  const words = message.filter((piece) => typeof piece === "string").join("");
  return [...message.map(pseudoPiece), longer(words)] as Message;
}

function longer(words: string): string {
  return " ~".repeat(Math.ceil(words.length / 6));
}

/** Changes the texts in a piece of a compiled message, not its names. */
function pseudoPiece(piece: unknown): unknown {
  if (typeof piece === "string") return withAccents(piece);
  if (!Array.isArray(piece)) return piece;
  const [name, format, options] = piece;
  if (typeof format !== "number" || format === 0) return [name, ...piece.slice(1).map(pseudoPiece)];
  return typeof options === "object" ? [name, format, pseudoOptions(options)] : piece;
}

/** The texts of a plural, by the names of their numbers. */
function pseudoOptions(options: object): object {
  return Object.fromEntries(
    Object.entries(options).map(([number, text]) => [number, [text].flat().map(pseudoPiece)]),
  );
}

function withAccents(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (letter) => accented[plain.indexOf(letter)] ?? letter);
}
