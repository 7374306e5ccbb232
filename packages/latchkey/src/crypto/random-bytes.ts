/**
 * Draws the bytes of many values together, because each call of the random source is expensive
 * (decision 0045).
 */
const pool = new Uint8Array(4096);
let used = pool.length;

/** Random bytes of Web Crypto. No byte is returned twice, and none is kept. */
export function randomBytes(length: number): Uint8Array {
  if (length > pool.length) return crypto.getRandomValues(new Uint8Array(length));
  if (used + length > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const fresh = pool.slice(used, used + length);
  pool.fill(0, used, used + length);
  used += length;
  return fresh;
}
