import { randomFillSync } from "node:crypto";

/** Bytes of an initialisation vector of AES-GCM (NIST SP 800-38D, section 8.2.2). */
export const ivBytes = 12;

const drawnTogether = 256;
const drawn = new Uint8Array(ivBytes * drawnTogether);
let used = drawn.length;

/**
 * A random initialisation vector that nobody has used. Many are drawn together, since each call of the random
 * source costs far more than its bytes (decision 0045).
 */
export function freshIV(): Uint8Array {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += ivBytes;
  return drawn.slice(used - ivBytes, used);
}
