/** Control characters, line separators, and marks that turn the direction of text. */
const breaking = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu;

/** Text that cannot begin a line of its own in a log, whatever it came from. */
export function oneLine(text: string): string {
  return text.replace(breaking, " ");
}
