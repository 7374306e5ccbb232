/** Control characters, line separators, and marks that turn the direction of text. */
const breaking = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu;

/**
 * Text that cannot begin a line of its own in a log, whatever it came from.
 *
 * @param charactersAtMost - what is longer is cut; by default nothing is
 */
export function oneLine(text: string, charactersAtMost?: number): string {
  return text.replace(breaking, " ").slice(0, charactersAtMost);
}
