/**
 * Clock, randomness and network of the runtime: the one place where the engine takes them from its surroundings.
 * Everywhere else they are arguments.
 */
export const ambient = {
  /** Epoch milliseconds. */
  clock: (): number => Date.now(),
  random,
  fetch: (input: string, init: RequestInit): Promise<Response> => globalThis.fetch(input, init),
  log: (): void => undefined,
};

/** Random bytes are fetched for many values at once: a sign-in needs several, and each call to the system costs. */
const pool = new Uint8Array(2048);
let used = pool.length;

/** None is given out twice, and none is kept. */
function random(bytes: number): Uint8Array {
  if (bytes > pool.length) return crypto.getRandomValues(new Uint8Array(bytes));
  if (used + bytes > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const fresh = pool.slice(used, used + bytes);
  pool.fill(0, used, used + bytes);
  used += bytes;
  return fresh;
}
