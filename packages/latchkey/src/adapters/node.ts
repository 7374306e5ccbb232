import type { Store } from "../stores/store.ts";

/**
 * Opens the store that an address names: `memory:`, or `sqlite:<file>`.
 *
 * @throws {TypeError} for any other address
 */
export async function openStore(address: string): Promise<Store> {
  if (address === "memory:") return (await import("../stores/memory.ts")).memoryStore();
  if (address.startsWith("sqlite:") && address.length > "sqlite:".length) {
    return (await import("../stores/sqlite.ts")).sqliteStore(address.slice("sqlite:".length));
  }
  throw new TypeError(
    "LATCHKEY_STORE must be memory: or sqlite:<file>. For Redis, hand a client to redisStore.",
  );
}
