import type { Pool } from "pg";

import { postgresStore, postgresTable } from "../postgres.ts";
import type { Store } from "../store.ts";
import { beforeConnectDeadline } from "../connect-deadline.ts";

/**
 * Opens a store in PostgreSQL by the package `pg`, and creates its table if there is none.
 *
 * @throws {Error} within ten seconds without an answer; the message names host and port, never the
 * password
 */
export async function openPostgres(url: string): Promise<Store> {
  const pool = await connect(url, (opened) => makeTable((text) => opened.query(text)));
  const store = postgresStore(pool);
  return {
    ...store,
    async close() {
      await store.close();
      await pool.end();
    },
  };
}

/**
 * In milliseconds. The server does not notice a closed connection while its query waits for a lock.
 * Without a limit, such queries would use up all its connections. A wait for a lock ends before the
 * guard gives up the store, so a locked table differs from a silent server.
 */
const serverLimits = { statement_timeout: 1500, lock_timeout: 500 };

/**
 * PgBouncer takes no settings of a connection: the user of the database may have the same limit.
 */
function isUnsupportedByPooler(error: unknown): boolean {
  return error instanceof Error && error.message.includes("unsupported startup parameter");
}

/**
 * Connects to a database.
 *
 * @param prepare - the first queries, before whose end the database counts as not connected
 */
export async function connect(
  url: string,
  prepare: (pool: Pool) => Promise<unknown>,
): Promise<Pool> {
  return connectWithin(url, serverLimits, prepare).catch((error: unknown) => {
    if (isUnsupportedByPooler(error)) return connectWithin(url, {}, prepare);
    throw error;
  });
}

async function connectWithin(
  url: string,
  limits: Partial<typeof serverLimits>,
  prepare: (pool: Pool) => Promise<unknown>,
): Promise<Pool> {
  const { Pool } = await pgPackage();
  const { hostname, port } = new URL(url);
  const pool = new Pool({
    ...limits,
    connectionString: url,
    connectionTimeoutMillis: 2000,
    // Closes a connection whose answer is late, and one to a server which has become a replica.
    query_timeout: 2000,
    keepAlive: true,
  });
  // Every failing query reports the fault; without a listener the event would end the process.
  pool.on("error", () => undefined);
  try {
    await beforeConnectDeadline(prepare(pool));
    return pool;
  } catch (cause) {
    void pool.end().catch(() => undefined);
    const reason = cause instanceof Error ? cause.message : "no reason";
    throw new Error(`PostgreSQL at ${hostname}:${port || "5432"} cannot be used: ${reason}`, {
      cause,
    });
  }
}

/**
 * Looks first: the user of the app need not be allowed to make tables. Others may make it at the
 * same moment.
 */
async function makeTable(
  query: (text: string) => Promise<{ readonly rows: readonly unknown[] }>,
  triesLeft = 3,
): Promise<void> {
  const { rows } = await query("SELECT 1 WHERE to_regclass('latchkey') IS NOT NULL");
  if (rows.length > 0) return;
  try {
    await query(postgresTable());
  } catch (error) {
    if (triesLeft === 0) throw error;
    await makeTable(query, triesLeft - 1);
  }
}

/** The name is literal and the failure is caught, so bundlers accept a missing package. */
async function pgPackage() {
  try {
    return await import("pg");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "no reason";
    throw new TypeError(`needs the package pg (npm i pg), which cannot be loaded: ${reason}`, {
      cause,
    });
  }
}
