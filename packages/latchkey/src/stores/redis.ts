import { type AnyRedisClient, redisCommands, redisFaultOf } from "./redis/redis-commands.ts";
import { leaseText, msUntil, type Store, type SwapResult } from "./store.ts";

/** Writes only over the expected text; a script runs as one step. */
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
local now = redis.call("TIME")[1]
redis.call("ZADD", KEYS[1], now + ARGV[2], ARGV[1])
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", now)
local last = redis.call("ZRANGE", KEYS[1], -1, -1, "WITHSCORES")
if last[2] then redis.call("EXPIREAT", KEYS[1], last[2]) end`;

const membersOfIndex = `
return redis.call("ZRANGEBYSCORE", KEYS[1], "(" .. redis.call("TIME")[1], "+inf")`;

/**
 * Creates a store in Redis or Valkey, for an app on several machines.
 * The app owns the client: node-redis or ioredis, for one server, a Sentinel or a cluster;
 * connected, with its own error handler, and closed by the app. It should neither queue commands
 * while offline nor repeat them.
 *
 * @param prefix - before every key
 */
export function redisStore(client: AnyRedisClient, prefix = "latchkey:"): Store {
  const { placeOf, send, getAll } = redisCommands(client, prefix);
  const indexOf = (index: string) => prefix + "index|" + placeOf(index).slice(prefix.length);
  const write = (key: string, value: string, ms: number, ...options: readonly string[]) =>
    send(placeOf(key), "SET", placeOf(key), value, ...during(ms), ...options);
  const add = async (key: string, value: string, ms: number) =>
    (await write(key, value, ms, "NX")) !== null;
  const run = (script: string, place: string, ...values: readonly string[]) =>
    send(place, "EVAL", script, "1", place, ...values);

  return {
    kind: "redis",
    get: (keys) => getAll(keys.map(placeOf)),
    set: async (key, value, expiresAt) => void (await write(key, value, msUntil(expiresAt))),
    add: (key, value, expiresAt) => add(key, value, msUntil(expiresAt)),
    async swap(key, expected, value, expiresAt) {
      const words = [expected, value, ...during(msUntil(expiresAt))];
      return swapResult(await run(compareAndSet, placeOf(key), ...words));
    },
    delete: async (key) => void (await send(placeOf(key), "DEL", placeOf(key))),
    lease: (key, owner, ms) => add(key, leaseText(owner), ms),
    release: async (key, owner) =>
      void (await run(compareAndDelete, placeOf(key), leaseText(owner))),
    async join(index, key, expiresAt) {
      await run(joinIndex, indexOf(index), key, `${Math.ceil(msUntil(expiresAt) / 1000)}`);
    },
    leave: async (index, key) => void (await send(indexOf(index), "ZREM", indexOf(index), key)),
    members: async (index) => textsOf(await run(membersOfIndex, indexOf(index))),
    faultOf: redisFaultOf,
    async warnings() {
      try {
        return warningsIn(String(await send(placeOf("probe"), "INFO", "everything")));
      } catch (error) {
        if (error instanceof Error && error.message.startsWith("NOPERM")) return [unseenSettings];
        throw error;
      }
    },
    close: () => undefined,
  };
}

const unseenSettings =
  "Redis does not let this user look at its settings (+info): see that its maxmemory-policy is noeviction and its appendonly yes, else sessions and sign-outs may be lost.";

/** What Redis says of itself: lines of names and values. */
function warningsIn(info: string): readonly string[] {
  const { policy = "noeviction" } = /^maxmemory_policy:(?<policy>[\w-]+)/m.exec(info)?.groups ?? {};
  return [
    ...(policy === "noeviction"
      ? []
      : [
          `Redis may drop sessions and sign-outs when its memory is full: set its maxmemory-policy to noeviction, it is ${policy}.`,
        ]),
    ...(/^aof_enabled:0/m.test(info)
      ? ["Redis forgets the latest sessions and sign-outs when it ends: set its appendonly to yes."]
      : []),
  ];
}

/**
 * Counted by the clock of Redis. An expired text is written as such: Redis accepts no negative
 * time.
 */
function during(ms: number): readonly string[] {
  return ms > 0 ? ["PX", `${Math.ceil(ms)}`] : ["EXAT", "1"];
}

function swapResult(answer: unknown): SwapResult {
  if (answer === "done" || answer === "changed" || answer === "absent") return answer;
  throw new TypeError("The reply to a compare-and-set cannot be read.");
}

function textsOf(answer: unknown): readonly string[] {
  if (!Array.isArray(answer)) throw new TypeError("The reply of Redis is no list.");
  return answer.map(String);
}
