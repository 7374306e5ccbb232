import { stripVTControlCharacters } from "node:util";

/** What changes a terminal or the order of its text: all but line feeds, tabs, and CRLF. */
const unprintable =
  /(?![\n\t]|\r\n)[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Returns text that a terminal only shows, whatever its source: without escape sequences. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(unprintable, "");
}
