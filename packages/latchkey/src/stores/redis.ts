import { leaseText } from "./lease.ts";
import type { Store, SwapResult } from "./store.ts";

/** Writes where exactly the expected text lies; a script runs as one step. */
const compareAndSet = `
local present = redis.call("GET", KEYS[1])
if not present then return "absent" end
if present == ARGV[2] then return "done" end
if present ~= ARGV[1] then return "changed" end
redis.call("SET", KEYS[1], ARGV[2], ARGV[3], ARGV[4])
return "done"`;

const compareAndDelete = `
if redis.call("GET", KEYS[1]) == ARGV[1] then redis.call("DEL", KEYS[1]) end`;

/** An index is a sorted set by the ends of its members, and lives until the last of them. */
const joinIndex = `
redis.call("ZADD", KEYS[1], ARGV[2], ARGV[1])
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", redis.call("TIME")[1])
local last = redis.call("ZRANGE", KEYS[1], -1, -1, "WITHSCORES")
if last[2] then redis.call("EXPIREAT", KEYS[1], last[2]) end`;

const membersOfIndex = `
return redis.call("ZRANGEBYSCORE", KEYS[1], "(" .. redis.call("TIME")[1], "+inf")`;

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
  const write = (key: string, value: string, ...options: readonly string[]) =>
    client.sendCommand(["SET", prefix + key, value, ...options]);
  const run = (script: string, key: string, ...values: readonly string[]) =>
    client.sendCommand(["EVAL", script, "1", prefix + key, ...values]);
  return {
    async get(keys) {
      if (keys.length === 0) return [];
      const values = await client.sendCommand(["MGET", ...keys.map((key) => prefix + key)]);
      return keys.map((_, index) => textAt(values, index));
    },
    async set(key, value, expiresAt) {
      await write(key, value, ...until(expiresAt));
    },
    async add(key, value, expiresAt) {
      return (await write(key, value, ...until(expiresAt), "NX")) !== null;
    },
    async swap(key, expected, value, expiresAt) {
      return swapResult(await run(compareAndSet, key, expected, value, ...until(expiresAt)));
    },
    async delete(key) {
      await client.sendCommand(["DEL", prefix + key]);
    },
    async lease(key, owner, ms) {
      return (await write(key, leaseText(owner), ...during(ms), "NX")) !== null;
    },
    async release(key, owner) {
      await run(compareAndDelete, key, leaseText(owner));
    },
    async settle(key, owner, value, ms) {
      const result = await run(compareAndSet, key, leaseText(owner), value, ...during(ms));
      return swapResult(result) === "done";
    },
    async join(index, key, expiresAt) {
      await run(joinIndex, indexKey(index), key, `${Math.ceil(expiresAt)}`);
    },
    async leave(index, key) {
      await client.sendCommand(["ZREM", prefix + indexKey(index), key]);
    },
    async members(index) {
      return textsOf(await run(membersOfIndex, indexKey(index)));
    },
    close: () => undefined,
  };
}

/** Redis takes whole seconds only; times in tokens may have fractions. */
function until(expiresAt: number): readonly string[] {
  return ["EXAT", `${Math.ceil(expiresAt)}`];
}

/** Counted by the clock of Redis: the clocks of the instances may differ by more than a lease lasts. */
function during(ms: number): readonly string[] {
  return ["PX", `${Math.ceil(ms)}`];
}

function swapResult(answer: unknown): SwapResult {
  if (answer === "done" || answer === "changed" || answer === "absent") return answer;
  throw new TypeError("The answer to a compare-and-set cannot be read.");
}

/** Indexes and entries share the keys of Redis, but never one. */
function indexKey(index: string): string {
  return `index|${index}`;
}

function textsOf(answer: unknown): readonly string[] {
  if (!Array.isArray(answer)) throw new TypeError("The answer of Redis is no list.");
  return answer.map(String);
}

function textAt(values: unknown, index: number): string | null {
  const value: unknown = Array.isArray(values) ? values[index] : null;
  return typeof value === "string" ? value : null;
}
