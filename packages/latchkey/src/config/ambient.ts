/**
 * Clock, randomness and network of the runtime: the one place where the engine takes them from its surroundings.
 * Everywhere else they are arguments.
 */
export const ambient = {
  /** Epoch milliseconds. */
  clock: (): number => Date.now(),
  random: (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes)),
  fetch: (input: string, init: RequestInit): Promise<Response> => globalThis.fetch(input, init),
  log: (): void => undefined,
};
