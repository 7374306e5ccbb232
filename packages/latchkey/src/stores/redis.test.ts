import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { findRedis, type RunningRedis, startRedis } from "../../test/servers/redis.ts";
import { openStore } from "./open-store.ts";
import { redisStore } from "./redis.ts";
import type { RedisClient } from "./redis/redis-commands.ts";
import { keepsByItsOwnClock, passesTheSuite, soon } from "./store-suite.support.ts";
import { storeTests } from "./store-tests.ts";

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

  const fresh = async () => {
    await client.sendCommand(["FLUSHALL"]);
    return redisStore(client);
  };
  passesTheSuite(fresh);
  keepsByItsOwnClock(fresh);

  test("its keys carry the prefix, and Redis removes them at their time", async () => {
    const store = redisStore(client, "mine:");
    await store.set("a", "1", soon);
    expect(await client.sendCommand(["KEYS", "*"])).toContain("mine:a");
    expect(Number(await client.sendCommand(["EXPIRETIME", "mine:a"]))).toBe(soon);
  });

  test("a user needs no other rights than those that the guide lists", async () => {
    const guide = readFileSync(
      new URL("../../../../docs/guides/stores.md", import.meta.url),
      "utf8",
    );
    const [, rights = ""] = /needs these permissions:\s+```text\n([^`]+)```/.exec(guide) ?? [];
    const user = ["ACL", "SETUSER", "app", "on", ">pw", ...rights.trim().split(/\s+/)];
    expect(await client.sendCommand(user)).toBe("OK");
    const limited = await server.connect();
    await limited.sendCommand(["AUTH", "app", "pw"]);
    const store = redisStore(limited);
    for (const { run } of storeTests) {
      await client.sendCommand(["FLUSHALL"]);
      await run(store);
    }
    expect(await store.warnings?.()).toHaveLength(1);
    limited.close();
    const opened = await openStore(server.url.replace("//", "//app:pw@"));
    expect(await opened.get(["a"])).toEqual([null]);
    await opened.close();
  });

  test("warns about settings that may lose data [OP-030]", async () => {
    const store = redisStore(client);
    expect(await store.warnings?.()).toEqual([expect.stringContaining("appendonly")]);
    await client.sendCommand(["CONFIG", "SET", "maxmemory-policy", "allkeys-lru"]);
    expect(await store.warnings?.()).toEqual([
      expect.stringContaining("it is allkeys-lru"),
      expect.stringContaining("appendonly"),
    ]);
    await client.sendCommand(["CONFIG", "SET", "maxmemory-policy", "noeviction"]);
  });

  test("warns if its user may not read these settings [OP-030]", async () => {
    await client.sendCommand(["ACL", "SETUSER", "app", "on", ">pw", "+ping", "-info"]);
    const limited = await server.connect();
    await limited.sendCommand(["AUTH", "app", "pw"]);
    expect(await redisStore(limited).warnings?.()).toEqual([expect.stringContaining("+info")]);
    limited.close();
    const opened = await openStore(server.url.replace("//", "//app:pw@"));
    expect(await opened.warnings?.()).toEqual([expect.stringContaining("+info")]);
    await opened.close();
  });

  test("a lost connection makes every operation throw", async () => {
    const lost = await server.connect();
    const store = redisStore(lost);
    lost.close();
    await expect(async () => store.get(["a"])).rejects.toThrow("connection lost");
    await expect(async () => store.add("a", "1", soon)).rejects.toThrow("connection lost");
  });
});
