import { ConfigError } from "../errors/config-error.ts";
import type { Store } from "../stores/store.ts";

/**
 * Opens the store at an address: `memory:`, `sqlite:<file>`, or `redis://…` and `rediss://…`, which
 * need the package `redis`.
 *
 * @throws {ConfigError} with one fault, which names the scheme of the address only: the rest may
 * hold a password
 */
export async function openStore(address: string): Promise<Store> {
  try {
    return await openAddress(address);
  } catch (error) {
    const text = error instanceof Error ? error.message : "cannot be opened";
    throw new ConfigError([
      {
        option: "store",
        variable: "LATCHKEY_STORE",
        message: address === "" ? text : text.replaceAll(address, "the address"),
        seen: schemeOf(address),
        remedy:
          "Set memory:, sqlite:<file>, redis://… or rediss://…, and see that it can be reached.",
      },
    ]);
  }
}

function schemeOf(address: string): string {
  return /^[a-z]+:/i.exec(address)?.[0] ?? "no scheme";
}

async function openAddress(address: string): Promise<Store> {
  if (address === "memory:") return (await import("../stores/memory.ts")).memoryStore();
  if (address.startsWith("sqlite:") && address.length > "sqlite:".length) {
    return (await import("../stores/sqlite.ts")).sqliteStore(address.slice("sqlite:".length));
  }
  if (/^rediss?:\/\//.test(address)) return openRedis(address);
  throw new TypeError("is not the address of a store");
}

const longestPauseMs = 2000;

async function openRedis(url: string): Promise<Store> {
  const { createClient } = await redisPackage();
  const { redisStore } = await import("../stores/redis.ts");
  let isOpen = false;
  const client = createClient({
    url,
    // Commands fail immediately while the connection is down: a request must not wait for a store
    // that may not return.
    disableOfflineQueue: true,
    // The first connection succeeds or fails; a lost one is tried again for ever.
    socket: {
      reconnectStrategy: (retries, cause) =>
        isOpen ? Math.min(retries * 50, longestPauseMs) : cause,
    },
  });
  // Every failing command reports the fault; without a listener the event would end the process.
  client.on("error", () => undefined);
  await client.connect();
  isOpen = true;
  return { ...redisStore(client), close: () => client.destroy() };
}

/**
 * The name is literal and the failure is caught, so that bundlers accept that the package may be
 * absent.
 */
async function redisPackage() {
  try {
    return await import("redis");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "no reason";
    throw new TypeError(
      `needs the package redis (npm i redis), which cannot be loaded: ${reason}`,
      { cause },
    );
  }
}
