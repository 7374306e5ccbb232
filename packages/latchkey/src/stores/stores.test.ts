import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { findRedis, type RunningRedis, startRedis } from "../../test/redis.ts";
import { leaseOwner } from "./lease.ts";
import { memoryStore } from "./memory.ts";
import { type RedisClient, redisStore } from "./redis.ts";
import { sqliteStore } from "./sqlite.ts";
import type { Store } from "./store.ts";

const soon = Math.floor(Date.now() / 1000) + 3600;
const past = Math.floor(Date.now() / 1000) - 10;

/** What every store must do, whatever it is made of. `fresh` opens an empty one. */
function passesTheSuite(fresh: () => Store | Promise<Store>): void {
  let store: Store;
  beforeEach(async () => {
    store = await fresh();
    return () => store.close();
  });

  test("get returns what was written, for several keys together and in their order", async () => {
    await store.set("a", "1", soon);
    await store.set("b", "2", soon);
    expect(await store.get(["b", "none", "a"])).toEqual(["2", null, "1"]);
    expect(await store.get(["", "a"])).toEqual([null, "1"]);
  });

  test.each([0, 1, 15, 16, 17, 100])(
    "get returns %i keys together in their order",
    async (count) => {
      const keys = Array.from({ length: count }, (_, index) => `key ${index}`);
      await Promise.all(keys.map(async (key, index) => store.set(key, `${index}`, soon)));
      const asked = keys.flatMap((key) => [key, `${key}, not there`]);
      expect(await store.get(asked)).toEqual(keys.flatMap((_, index) => [`${index}`, null]));
    },
  );

  test("set replaces what was there", async () => {
    await store.set("a", "1", soon);
    await store.set("a", "2", soon);
    expect(await store.get(["a"])).toEqual(["2"]);
  });

  test("delete removes an entry, and is no fault where there is none", async () => {
    await store.set("a", "1", soon);
    await store.delete("a");
    await store.delete("a");
    expect(await store.get(["a"])).toEqual([null]);
  });

  test("get does not return an entry whose time has passed", async () => {
    await store.set("a", "1", past);
    expect(await store.get(["a"])).toEqual([null]);
    await store.set("b", "1", soon);
    await store.set("b", "2", past);
    expect(await store.get(["b"])).toEqual([null]);
  });

  test("set and add take a time that is no whole second", async () => {
    await store.set("a", "1", soon + 0.5);
    expect(await store.add("b", "1", soon + 0.5)).toBe(true);
    expect(await store.get(["a", "b"])).toEqual(["1", "1"]);
  });

  test("add writes only where nothing is", async () => {
    expect(await store.add("a", "1", soon)).toBe(true);
    expect(await store.add("a", "2", soon)).toBe(false);
    expect(await store.get(["a"])).toEqual(["1"]);
  });

  test("add writes over an entry whose time has passed", async () => {
    await store.set("a", "1", past);
    expect(await store.add("a", "2", soon)).toBe(true);
    expect(await store.get(["a"])).toEqual(["2"]);
  });

  test("of many that add the same key at the same moment, one succeeds", async () => {
    const added = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => store.add("a", `${index}`, soon)),
    );
    expect(added.filter(Boolean)).toHaveLength(1);
  });

  test("swap writes where exactly the expected text lies, and nowhere else", async () => {
    await store.set("a", "1", soon);
    expect(await store.swap("a", "2", "3", soon)).toBe("changed");
    expect(await store.swap("a", "", "3", soon)).toBe("changed");
    expect(await store.get(["a"])).toEqual(["1"]);
    expect(await store.swap("a", "1", "2", soon)).toBe("done");
    expect(await store.get(["a"])).toEqual(["2"]);
  });

  test("swap brings nothing back that was deleted [ATK-009]", async () => {
    expect(await store.swap("a", "", "1", soon)).toBe("absent");
    await store.set("a", "1", soon);
    await store.delete("a");
    expect(await store.swap("a", "1", "2", soon)).toBe("absent");
    expect(await store.get(["a"])).toEqual([null]);
  });

  test("swap finds nothing where an entry has expired", async () => {
    await store.set("a", "1", past);
    expect(await store.swap("a", "1", "2", soon)).toBe("absent");
    expect(await store.get(["a"])).toEqual([null]);
  });

  test("swap gives the entry its new time", async () => {
    await store.set("a", "1", soon);
    expect(await store.swap("a", "1", "2", past)).toBe("done");
    expect(await store.get(["a"])).toEqual([null]);
  });

  test("swap is done where the same swap was done before and its answer was lost", async () => {
    await store.set("a", "1", soon);
    await store.swap("a", "1", "2", soon);
    expect(await store.swap("a", "1", "2", soon)).toBe("done");
    await store.swap("a", "2", "3", soon);
    expect(await store.swap("a", "1", "2", soon)).toBe("changed");
    expect(await store.get(["a"])).toEqual(["3"]);
  });

  test("of many that swap the same text at the same moment, one succeeds", async () => {
    await store.set("a", "0", soon);
    const results = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => store.swap("a", "0", `${index + 1}`, soon)),
    );
    expect(results.filter((result) => result === "done")).toHaveLength(1);
    expect(results.filter((result) => result === "changed")).toHaveLength(49);
    expect(await store.get(["a"])).toEqual([`${results.indexOf("done") + 1}`]);
  });

  test("lease grants a key to one owner, whom get names", async () => {
    expect(await store.lease("a", "one", 60_000)).toBe(true);
    expect(await store.lease("a", "other", 60_000)).toBe(false);
    const [text] = await store.get(["a"]);
    expect(leaseOwner(text ?? "")).toBe("one");
  });

  test("lease grants nothing where a text lies", async () => {
    await store.set("a", "1", soon);
    expect(await store.lease("a", "one", 60_000)).toBe(false);
    expect(await store.get(["a"])).toEqual(["1"]);
  });

  test("lease grants a key again when its milliseconds have passed", async () => {
    expect(await store.lease("a", "one", 50)).toBe(true);
    await setTimeout(70);
    expect(await store.get(["a"])).toEqual([null]);
    expect(await store.lease("a", "other", 60_000)).toBe(true);
    expect(await store.settle("a", "one", "1", 60_000)).toBe(false);
  });

  test("of many that lease the same key at the same moment, one succeeds", async () => {
    const granted = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => store.lease("a", `${index}`, 60_000)),
    );
    expect(granted.filter(Boolean)).toHaveLength(1);
  });

  test("release gives back only what its owner holds", async () => {
    await store.lease("a", "one", 60_000);
    await store.release("a", "other");
    expect(await store.lease("a", "other", 60_000)).toBe(false);
    await store.release("a", "one");
    expect(await store.lease("a", "other", 60_000)).toBe(true);
  });

  test("release leaves a settled value where it is", async () => {
    await store.lease("a", "one", 60_000);
    await store.settle("a", "one", "1", 60_000);
    await store.release("a", "one");
    expect(await store.get(["a"])).toEqual(["1"]);
  });

  test("settle puts a value in the place of its owner's lease only", async () => {
    expect(await store.settle("a", "one", "1", 60_000)).toBe(false);
    await store.lease("a", "one", 60_000);
    expect(await store.settle("a", "other", "2", 60_000)).toBe(false);
    expect(await store.settle("a", "one", "1", 60_000)).toBe(true);
    const [text] = await store.get(["a"]);
    expect([text, leaseOwner(text ?? "")]).toEqual(["1", null]);
  });

  test("settle is done where the same settle was done before and its answer was lost", async () => {
    await store.lease("a", "one", 60_000);
    await store.settle("a", "one", "1", 60_000);
    expect(await store.settle("a", "one", "1", 60_000)).toBe(true);
    expect(await store.settle("a", "one", "2", 60_000)).toBe(false);
  });

  test("a settled value is gone when its milliseconds have passed", async () => {
    await store.lease("a", "one", 60_000);
    await store.settle("a", "one", "1", 50);
    await setTimeout(70);
    expect(await store.get(["a"])).toEqual([null]);
  });

  test("members returns what joined an index and did not leave it, each once, and no others", async () => {
    for (const [index, key] of [
      ["i", "a"],
      ["i", "b"],
      ["i", "b"],
      ["i", "c"],
      ["i|", "d"],
      ["j", "e"],
    ] as const) {
      await store.join(index, key, soon);
    }
    await store.leave("i", "c");
    await store.leave("none", "c");
    expect((await store.members("i")).toSorted()).toEqual(["a", "b"]);
    expect(await store.members("none")).toEqual([]);
  });

  test("members leaves out those whose time has passed", async () => {
    await store.join("i", "a", past);
    expect(await store.members("i")).toEqual([]);
    await store.join("i", "b", soon);
    await store.join("i", "c", soon);
    await store.join("i", "c", past);
    expect(await store.members("i")).toEqual(["b"]);
    await store.join("i", "a", soon);
    expect((await store.members("i")).toSorted()).toEqual(["a", "b"]);
  });

  test("a member need not be an entry, and an entry is no member", async () => {
    await store.set("a", "1", soon);
    expect(await store.members("a")).toEqual([]);
    await store.join("i", "none", soon);
    expect(await store.get(["none", "i"])).toEqual([null, null]);
    await store.delete("none");
    expect(await store.members("i")).toEqual(["none"]);
  });

  test("members returns all of a thousand", async () => {
    await Promise.all(
      Array.from({ length: 1000 }, async (_, index) => store.join("i", `${index}`, soon)),
    );
    expect(new Set(await store.members("i")).size).toBe(1000);
  });

  test.each(["__proto__", "a b", "k|v|'\"", "x".repeat(2000), "sid|https://op|c|*"])(
    "get and set take %.30s for a key like any other",
    async (key) => {
      await store.set(key, "v", soon);
      expect(await store.get([key, `${key}x`])).toEqual(["v", null]);
    },
  );

  test("set keeps an empty text and a long one as they are", async () => {
    const long = "x".repeat(100_000);
    await store.set("empty", "", soon);
    await store.set("long", long, soon);
    expect(await store.get(["empty", "long"])).toEqual(["", long]);
  });
}

describe("memory", () => {
  passesTheSuite(() => memoryStore());
});

describe("SQLite in memory", () => {
  passesTheSuite(() => sqliteStore(":memory:"));
});

describe("SQLite in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-sqlite-"));
  let count = 0;
  const file = () => join(folder, "deep", "er", `${(count += 1)}.db`);
  afterAll(() => rmSync(folder, { recursive: true }));

  passesTheSuite(() => sqliteStore(file()));

  test("an entry survives a restart", async () => {
    const at = file();
    const before = sqliteStore(at);
    await before.set("a", "1", soon);
    await before.close();
    const after = sqliteStore(at);
    expect(await after.get(["a"])).toEqual(["1"]);
    await after.close();
  });

  test("of two processes that share a file, each reads immediately what the other has written [STD-117]", async () => {
    const at = file();
    const [one, other] = [sqliteStore(at), sqliteStore(at)];
    await one.set("a", "1", soon);
    expect(await other.get(["a"])).toEqual(["1"]);
    expect(await other.add("a", "2", soon)).toBe(false);
    await other.delete("a");
    expect(await one.swap("a", "1", "3", soon)).toBe("absent");
    await one.close();
    await other.close();
  });

  test("only its owner can read the file", async () => {
    const at = file();
    const store = sqliteStore(at);
    await store.set("a", "1", soon);
    for (const each of [at, `${at}-wal`]) expect(statSync(each).mode & 0o077).toBe(0);
    await store.close();
  });

  test("a file that others could read before is closed to them", async () => {
    const at = file();
    writeFileSync(at, "");
    chmodSync(at, 0o644);
    await sqliteStore(at).close();
    expect(statSync(at).mode & 0o777).toBe(0o600);
  });

  test("the file is freed of expired entries while others are written", async () => {
    const at = file();
    const store = sqliteStore(at);
    for (let index = 0; index < 1024; index += 1) await store.set(`k${index}`, "x", past);
    await store.close();
    const database = new DatabaseSync(at);
    expect(database.prepare("SELECT count(*) AS n FROM entries").get()?.["n"]).toBeLessThan(256);
    database.close();
  });
});

describe("the memory of a process", () => {
  test("an entry is kept until the second at which it ends", async () => {
    let now = 999_999;
    const store = memoryStore(() => now);
    await store.set("a", "1", 1000);
    expect(await store.get(["a"])).toEqual(["1"]);
    now = 1_000_000;
    expect(await store.get(["a"])).toEqual([null]);
  });
});

const redis = findRedis();

describe.skipIf(redis === null)("Redis", () => {
  let server: RunningRedis;
  let client: RedisClient & { close(): void };
  beforeAll(async () => {
    server = await startRedis(redis ?? "");
    client = await server.connect();
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });

  passesTheSuite(async () => {
    await client.sendCommand(["FLUSHALL"]);
    return redisStore(client);
  });

  test("its keys carry the prefix, and Redis removes them at their time", async () => {
    const store = redisStore(client, "mine:");
    await store.set("a", "1", soon);
    expect(await client.sendCommand(["KEYS", "*"])).toContain("mine:a");
    expect(Number(await client.sendCommand(["EXPIRETIME", "mine:a"]))).toBe(soon);
  });

  test("a lost connection makes every operation throw", async () => {
    const lost = await server.connect();
    const store = redisStore(lost);
    lost.close();
    await expect(async () => store.get(["a"])).rejects.toThrow("connection lost");
    await expect(async () => store.add("a", "1", soon)).rejects.toThrow("connection lost");
  });
});
