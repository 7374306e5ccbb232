import type { Store } from "./store.ts";

/** Writes where exactly the expected text lies; a script runs as one step. */
const compareAndSet = `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[2], "EXAT", ARGV[3])
return 1`;

/** The one command of a Redis or Valkey client that is used; node-redis has it, others are easily adapted. */
export interface RedisClient {
  sendCommand(args: string[]): Promise<unknown>;
}

/**
 * A store in Redis or Valkey, for an app on several machines.
 *
 * The client is the app's: connected, with its own error handler, and closed by the app.
 *
 * @param prefix put before every key
 */
export function redisStore(client: RedisClient, prefix = "latchkey:"): Store {
  const write = (key: string, value: string, expiresAt: number, ...condition: string[]) => {
    // Redis takes whole seconds only; times in tokens may have fractions.
    const end = `${Math.ceil(expiresAt)}`;
    return client.sendCommand(["SET", prefix + key, value, "EXAT", end, ...condition]);
  };
  return {
    async get(keys) {
      if (keys.length === 0) return [];
      const values = await client.sendCommand(["MGET", ...keys.map((key) => prefix + key)]);
      return keys.map((_, index) => textAt(values, index));
    },
    async set(key, value, expiresAt) {
      await write(key, value, expiresAt);
    },
    async add(key, value, expiresAt) {
      return (await write(key, value, expiresAt, "NX")) !== null;
    },
    async swap(key, expected, value, expiresAt) {
      const end = `${Math.ceil(expiresAt)}`;
      const command = ["EVAL", compareAndSet, "1", prefix + key, expected, value, end];
      return (await client.sendCommand(command)) === 1;
    },
    async delete(key) {
      await client.sendCommand(["DEL", prefix + key]);
    },
    async list(keyPrefix) {
      const pattern = `${escapePattern(prefix + keyPrefix)}*`;
      const keys = new Set<string>();
      let cursor = "0";
      do {
        const page = await client.sendCommand(["SCAN", cursor, "MATCH", pattern, "COUNT", "1000"]);
        const [next, found] = pageOf(page);
        for (const key of found) keys.add(key.slice(prefix.length));
        cursor = next;
      } while (cursor !== "0");
      return [...keys];
    },
    close: () => undefined,
  };
}

/** A key as a pattern that fits it alone. */
function escapePattern(key: string): string {
  return key.replace(/[\\*?[\]]/g, "\\$&");
}

/** One page of a scan: where the next one begins (`0` after the last), and the keys of this one. */
function pageOf(page: unknown): readonly [cursor: string, keys: readonly string[]] {
  const [cursor, keys]: unknown[] = Array.isArray(page) ? page : [];
  if (!Array.isArray(keys)) throw new TypeError("The answer to SCAN cannot be read.");
  return [String(cursor), keys.map(String)];
}

function textAt(values: unknown, index: number): string | null {
  const value: unknown = Array.isArray(values) ? values[index] : null;
  return typeof value === "string" ? value : null;
}
