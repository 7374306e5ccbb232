import { randomInt } from "node:crypto";

/** Letters that look like no other when read out or written down. */
const letters = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A reference for a problem, e.g. `7F3K-92QD`: short enough for the phone. */
export function newReference(): string {
  const picked = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join("");
  return `${picked.slice(0, 4)}-${picked.slice(4)}`;
}
