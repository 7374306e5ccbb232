import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";

import { openStore } from "../../src/stores/open-store.ts";
import type { LogEvent } from "../../src/telemetry/log-event.ts";
import { guardStore } from "../../src/stores/guard/guarded-store.ts";
import { freePort } from "../servers/free-port.ts";
import { startProxy } from "../servers/tcp-proxy.ts";
import { ownTime } from "../own-time.ts";
import {
  findPgBouncer,
  findPostgres,
  type RunningPostgres,
  startPgBouncer,
  startPostgres,
} from "../servers/postgres.ts";
import { postgresStore, postgresTable } from "../../src/stores/postgres.ts";
import { storeTests } from "../../src/stores/store-tests.ts";
import {
  keepsByItsOwnClock,
  passesTheSuite,
  past,
  soon,
} from "../../src/stores/store-suite.support.ts";

const programs = findPostgres();
const bouncer = findPgBouncer();

const refusal = { reason: "store_unavailable" };
const poolOptions = { connectionTimeoutMillis: 60_000, query_timeout: 60_000, keepAlive: true };

/** Opens a store until the end of the test. */
async function openGuardedStore(url: string) {
  const events: LogEvent[] = [];
  const store = guardStore(await openStore(url), {
    log: (event) => events.push(event),
    clock: () => performance.now(),
    fraction: Math.random,
  });
  onTestFinished(() => store.close());
  const read = () => Promise.resolve(store.get(["a"]));
  const states = () => events.flatMap((each) => (each.event === "store-state" ? [each.state] : []));
  return { store, read, states };
}

describe.skipIf(programs === null)("PostgreSQL [OP-115]", () => {
  let server: RunningPostgres;
  let pool: Pool;
  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    pool = new Pool({ ...poolOptions, connectionString: server.url });
    pool.on("error", () => undefined);
    await pool.query(postgresTable());
  });
  afterAll(async () => {
    await pool.end();
    await server.close();
  });

  const fresh = async () => {
    await pool.query("TRUNCATE latchkey");
    return postgresStore(pool);
  };
  passesTheSuite(fresh);
  keepsByItsOwnClock(fresh);

  test.skipIf(bouncer === null)(
    "behind a pooler in transaction mode everything works, with two connections for fifty requests [OP-115]",
    async () => {
      const pooler = await startPgBouncer(bouncer ?? "", server.port);
      const opened = await openStore(pooler.url);
      const both = "Set lock_timeout to '500ms' and statement_timeout to '1500ms' for the user";
      expect(await opened.warnings?.()).toEqual([expect.stringContaining(both)]);
      await opened.close();
      // A store opened by us gives up after two seconds; on a busy machine nothing may happen in
      // this time.
      const own = new Pool({ ...poolOptions, connectionString: pooler.url });
      const store = postgresStore(own);
      const results: string[] = [];
      for (const { name, run } of storeTests) {
        await pool.query("TRUNCATE latchkey");
        await run(store).catch((error: unknown) => results.push(`${name}: ${String(error)}`));
      }
      expect(results).toEqual([]);
      await store.close();
      await own.end();
      await pooler.close();
    },
  );

  test("warns if the user's waits have no limit, and names the missing settings", async () => {
    const warnings = async (limits: object) => {
      const own = new Pool({ ...poolOptions, ...limits, connectionString: server.url });
      const store = postgresStore(own);
      const found = await store.warnings?.();
      await store.close();
      await own.end();
      return found;
    };
    const missing = (setting: string) => [expect.stringMatching(` Set ${setting} for the user`)];
    expect(await warnings({ statement_timeout: 1500 })).toEqual(missing("lock_timeout to '500ms'"));
    expect(await warnings({ lock_timeout: 500 })).toEqual(missing("statement_timeout to '1500ms'"));
    expect(await warnings({ statement_timeout: 1500, lock_timeout: 500 })).toEqual([]);
  });

  test("creates the table under the given name", async () => {
    await pool.query(postgresTable('my "table"'));
    const store = postgresStore(pool, { table: 'my "table"' });
    await store.set("a", "1", soon);
    expect((await pool.query('SELECT key FROM "my ""table"""')).rows).toEqual([{ key: "a" }]);
    await store.close();
  });

  test("removes expired entries beside the requests, by several instances together", async () => {
    await pool.query("TRUNCATE latchkey");
    vi.useFakeTimers({ toFake: ["setInterval"] });
    const stores = [postgresStore(pool), postgresStore(pool)];
    const [store] = stores;
    await Promise.all(
      Array.from({ length: 1200 }, async (_, index) => store?.set(`old ${index}`, "1", past)),
    );
    await store?.set("young", "1", soon);
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    const stored = async () => (await pool.query("SELECT key FROM latchkey")).rows;
    await expect.poll(stored).toEqual([{ key: "young" }]);
    await Promise.all(stores.map(async (each) => each.close()));
  });

  test("creates one shared table for instances with a simultaneous start", async () => {
    await pool.query("DROP TABLE latchkey");
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(server.url)));
    await stores[0]?.set("a", "1", soon);
    for (const store of stores) {
      expect(await store.get(["a"])).toEqual(["1"]);
      await store.close();
    }
  });

  test("delays requests at most a second when it stops, and serves again soon after its return [OP-021]", async () => {
    const proxy = await startProxy(server.port);
    onTestFinished(() => proxy.close());
    const url = server.url.replace(`${server.port}`, `${proxy.port}`);
    const { store, read } = await openGuardedStore(url);
    await read();
    proxy.swallow(true);
    const start = ownTime();
    const reads = Array.from({ length: 6 }, () => expect(read()).rejects.toMatchObject(refusal));
    await Promise.all(reads);
    expect(ownTime() - start).toBeLessThan(2000);
    expect(store.state()).toBe("down");
    proxy.swallow(false);
    await expect.poll(read).toHaveLength(1);
  });

  test("keeps no connection waiting for an abandoned reply while another session locks the table", async () => {
    await pool.query(postgresTable());
    const store = await openStore(server.url);
    expect(await store.warnings?.()).toEqual([]);
    const locking = pool.query("BEGIN; LOCK TABLE latchkey; SELECT pg_sleep(60)");
    locking.catch(() => undefined);
    const locks = "SELECT pid FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted";
    const lockers = async () =>
      (await pool.query(`${locks} AND relation = 'latchkey'::regclass`)).rows;
    await expect.poll(lockers).toHaveLength(1);
    const reads = Array.from({ length: 20 }, async () => store.get(["a"]));
    const outcomes = await Promise.allSettled(reads);
    expect(outcomes.map(({ status }) => status)).not.toContain("fulfilled");
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await expect.poll(async () => (await pool.query(waiting)).rows).toEqual([]);
    expect(await lockers()).toHaveLength(1);
    await pool.query(`SELECT pg_terminate_backend(pid) FROM (${locks}) AS locker`);
    await expect.poll(async () => store.get(["a"])).toHaveLength(1);
    await store.close();
  });

  test("reads sessions while another session locks the table against writes", async () => {
    await pool.query(postgresTable());
    const { store, states } = await openGuardedStore(server.url);
    await store.set("kept", "1", soon);
    // It has one connection, as its queries come one after the other.
    const locker = new Pool({ ...poolOptions, connectionString: server.url });
    await locker.query("BEGIN; LOCK TABLE latchkey IN SHARE MODE");
    for (let count = 0; count < 3; count += 1) {
      await expect(Promise.resolve(store.set("a", "1", soon))).rejects.toMatchObject(refusal);
      expect(await store.get(["kept"])).toEqual(["1"]);
    }
    const locked = store.state();
    await locker.end();
    expect(locked).toBe("read-only");
    await store.set("a", "1", soon);
    expect(states()).toEqual(["read-only", "up"]);
  });

  test("keeps all sessions over a crash of the server [OP-115]", async () => {
    const { store, read, states } = await openGuardedStore(server.url);
    await store.set("a", "1", soon);
    await Promise.all([read(), read(), read()]);
    await server.crash();
    for (let count = 0; count < 8; count += 1) await expect(read()).rejects.toMatchObject(refusal);
    expect(store.state()).toBe("down");
    await server.restart();
    await expect.poll(read).toEqual(["1"]);
    await store.set("a", "2", soon);
    expect(states()).toEqual(["down", "up"]);
  });

  test("reads from a replica, and rejects writes [OP-115]", async () => {
    const role = `${server.url}?options=-c%20default_transaction_read_only%3Don`;
    const { store, read } = await openGuardedStore(role);
    expect(await read()).toHaveLength(1);
    await expect(Promise.resolve(store.set("a", "1", soon))).rejects.toThrow("does not answer");
    expect(store.state()).toBe("read-only");
  });
});

test("a missing PostgreSQL is reported at the start with one sentence about host and port, without the password [OP-020]", async () => {
  const port = await freePort();
  const opening = openStore(`postgres://someone:canary@127.0.0.1:${port}/app`);
  await expect(opening).rejects.toThrow(`PostgreSQL at 127.0.0.1:${port} cannot be used`);
  await expect(opening).rejects.not.toThrow("canary");
});

test("a silent PostgreSQL is reported within ten seconds [OP-020]", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const start = ownTime();
  const opening = openStore(`postgres://someone@127.0.0.1:${port}/app`);
  await expect(opening).rejects.toThrow(`PostgreSQL at 127.0.0.1:${port} cannot be used`);
  expect(ownTime() - start).toBeLessThan(10_000);
  server.close();
});
