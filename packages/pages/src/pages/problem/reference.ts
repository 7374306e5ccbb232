import { referenceOf } from "latchkey";

/** A reference for a problem, e.g. `7F3K-92QD`. */
export function newReference(): string {
  return referenceOf(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(8))));
}
