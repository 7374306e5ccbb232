/** Characters without a lookalike, in speech and in writing. */
const characters = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A reference for a problem, e.g. `7F3K-92QD`: short enough for the phone. */
export function newReference(): string {
  const picked = Array.from(
    crypto.getRandomValues(new Uint32Array(8)),
    (number) => characters[number % characters.length],
  ).join("");
  return `${picked.slice(0, 4)}-${picked.slice(4)}`;
}
