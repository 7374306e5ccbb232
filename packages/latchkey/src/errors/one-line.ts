/** Control characters, line separators, and marks for text direction. */
const breaking = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/**
 * Returns text that cannot begin a new line in a log, whatever its source.
 *
 * @param charactersAtMost - longer text is cut; by default it is not
 */
export function oneLine(text: string, charactersAtMost?: number): string {
  return text.replace(breaking, " ").slice(0, charactersAtMost);
}
