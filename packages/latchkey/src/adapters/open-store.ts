import type { RedisClient } from "../stores/redis.ts";
import type { Store } from "../stores/store.ts";

/**
 * Opens the store that an address names: `memory:`, `sqlite:<file>`, or `redis://…` and `rediss://…`, for which
 * the package `redis` must be installed.
 *
 * @throws {TypeError} for any other address; what the store itself throws when it cannot be opened
 */
export async function openStore(address: string): Promise<Store> {
  if (address === "memory:") return (await import("../stores/memory.ts")).memoryStore();
  if (address.startsWith("sqlite:") && address.length > "sqlite:".length) {
    return (await import("../stores/sqlite.ts")).sqliteStore(address.slice("sqlite:".length));
  }
  if (/^rediss?:\/\//.test(address)) return openRedis(address);
  throw new TypeError("must be memory:, sqlite:<file> or redis://…");
}

/** The part of node-redis that is used; the package is the app's to install. */
interface RedisPackage {
  createClient(options: { url: string; disableOfflineQueue: boolean }): RedisClient & {
    connect(): Promise<unknown>;
    on(event: "error", listener: () => void): unknown;
    destroy(): void;
  };
}

async function openRedis(url: string): Promise<Store> {
  const name = "redis";
  const { createClient } = (await import(name)) as RedisPackage;
  // Commands fail at once while the connection is down: a request must not wait for a store that may not return.
  const client = createClient({ url, disableOfflineQueue: true });
  // Every failing command reports the fault; the event alone would end the process.
  client.on("error", () => undefined);
  await client.connect();
  const { redisStore } = await import("../stores/redis.ts");
  return { ...redisStore(client), close: () => client.destroy() };
}
