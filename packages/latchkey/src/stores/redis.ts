import type { Store } from "./store.ts";

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
      const values = await client.sendCommand(["MGET", ...keys.map((key) => prefix + key)]);
      return keys.map((_, index) => textAt(values, index));
    },
    async set(key, value, expiresAt) {
      await write(key, value, expiresAt);
    },
    async add(key, value, expiresAt) {
      return (await write(key, value, expiresAt, "NX")) !== null;
    },
    async replace(key, value, expiresAt) {
      return (await write(key, value, expiresAt, "XX")) !== null;
    },
    async delete(key) {
      await client.sendCommand(["DEL", prefix + key]);
    },
    close: () => undefined,
  };
}

function textAt(values: unknown, index: number): string | null {
  const value: unknown = Array.isArray(values) ? values[index] : null;
  return typeof value === "string" ? value : null;
}
