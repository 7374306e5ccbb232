import { Redis } from "ioredis";
import postgres from "postgres";
import { createClient } from "redis";
import { describe, expect, test } from "vitest";

import { postgresStore, postgresTable } from "../../src/stores/postgres.ts";
import { redisStore } from "../../src/stores/redis.ts";
import type { Store } from "../../src/stores/store.ts";
import { storeTests } from "../../src/stores/store-tests.ts";
import { findPostgres, startPostgres } from "../servers/postgres.ts";
import { findRedis, startRedis } from "../servers/redis.ts";

/** What the tests of stores say against one; it is emptied before each. */
async function faultsOf(store: Store, empty: () => Promise<unknown>): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { name, run } of storeTests) {
    // oxlint-disable-next-line no-await-in-loop -- they share one store
    await empty();
    // oxlint-disable-next-line no-await-in-loop -- they share one store
    await run(store).catch((error: unknown) => faults.push(`${name}: ${String(error)}`));
  }
  return faults;
}

describe("the usual database clients", () => {
  const redis = findRedis();
  test.skipIf(redis === null)("node-redis and ioredis serve the store in Redis", async () => {
    const server = await startRedis(redis ?? "");
    const empty = () => server.command("FLUSHALL");
    const nodeRedis = createClient({ url: `redis://127.0.0.1:${server.port}` });
    nodeRedis.on("error", () => undefined);
    await nodeRedis.connect();
    expect(await faultsOf(redisStore(nodeRedis), empty)).toEqual([]);
    nodeRedis.destroy();
    const ioredis = new Redis(server.port, "127.0.0.1");
    expect(await faultsOf(redisStore(ioredis), empty)).toEqual([]);
    ioredis.disconnect();
    await server.close();
  });

  const programs = findPostgres();
  test.skipIf(programs === null)(
    "the package postgres serves the store in PostgreSQL, without prepared statements too",
    async () => {
      const server = await startPostgres(programs ?? "");
      for (const prepare of [true, false]) {
        const sql = postgres(server.url, { prepare, onnotice: () => undefined });
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await sql.unsafe(postgresTable());
        const store = postgresStore(sql);
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        expect(await faultsOf(store, () => sql.unsafe("TRUNCATE latchkey"))).toEqual([]);
        await store.close();
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await sql.end();
      }
      await server.close();
    },
  );
});
