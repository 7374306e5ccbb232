/** Characters without a lookalike, in speech and in writing. */
const characters = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Returns the reference for a random text of at least eight characters, e.g. `7F3K-92QD`: short
 * enough for the phone. The same text has the same reference, so the id of a session has one.
 */
export function referenceOf(text: string): string {
  const picked = Array.from(
    text.slice(0, 8),
    (each) => characters[each.charCodeAt(0) % characters.length],
  ).join("");
  return `${picked.slice(0, 4)}-${picked.slice(4)}`;
}
