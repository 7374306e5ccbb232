import { openText } from "../../src/crypto/jwe.ts";
import type { KeyRing } from "../../src/crypto/key-ring.ts";

/** Returns the plaintext of a sealed text. Throws if it does not open. */
export function openedText(ring: KeyRing, value: string): string {
  const opened = openText(ring, value);
  if (typeof opened === "string") throw new Error(`The text is ${opened}`);
  return opened.text;
}
