import { randomInt } from "node:crypto";

/** Characters without a lookalike, in speech and in writing. */
const characters = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A reference for a problem, e.g. `7F3K-92QD`: short enough for the phone. */
export function newReference(): string {
  const picked = Array.from({ length: 8 }, () => characters[randomInt(characters.length)]).join("");
  return `${picked.slice(0, 4)}-${picked.slice(4)}`;
}
