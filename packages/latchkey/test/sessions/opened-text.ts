import { openText } from "../../src/crypto/jwe.ts";
import type { KeyRing } from "../../src/crypto/key-ring.ts";

/** The plaintext of a sealed text. Throws where it cannot be opened. */
export function openedText(ring: KeyRing, value: string): string {
  const opened = openText(ring, value);
  if (typeof opened === "string") throw new Error(`The text is ${opened}`);
  return opened.text;
}
