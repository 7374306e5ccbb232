import type { Pool } from "pg";

import { postgresStore, postgresTable } from "../../stores/postgres.ts";
import type { Store } from "../../stores/store.ts";
import { beforeConnectDeadline } from "./connect-deadline.ts";

/**
 * Opens a store in PostgreSQL, and makes its table where there is none; the package `pg` speaks to it.
 *
 * @throws {Error} within ten seconds where nobody answers; the message names host and port, never the password
 */
export async function openPostgres(url: string): Promise<Store> {
  const pool = await connect(url, serverLimits).catch((error: unknown) => {
    if (isUnsupportedByPooler(error)) return connect(url);
    throw error;
  });
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
 * In milliseconds. When a connection is closed, the server does not notice while its query waits for a lock: without a
 * limit of its own, all its connections would be used up. A wait for a lock ends before the guard gives the store up:
 * so a table that is locked against writes is told apart from a server that says nothing.
 */
const serverLimits = { statement_timeout: 1500, lock_timeout: 500 };

/** PgBouncer takes no settings of a connection: the user of the database may have the same limit. */
function isUnsupportedByPooler(error: unknown): boolean {
  return error instanceof Error && error.message.includes("unsupported startup parameter");
}

async function connect(url: string, limits: Partial<typeof serverLimits> = {}): Promise<Pool> {
  const { Pool } = await pgPackage();
  const { hostname, port } = new URL(url);
  const pool = new Pool({
    ...limits,
    connectionString: url,
    connectionTimeoutMillis: 2000,
    // A connection whose answer is late is closed, and so is one to a server that has become a replica.
    query_timeout: 2000,
    keepAlive: true,
  });
  // Every failing query reports the fault; without a listener the event would end the process.
  pool.on("error", () => undefined);
  try {
    await beforeConnectDeadline(makeTable((text) => pool.query(text)));
    return pool;
  } catch (cause) {
    void pool.end().catch(() => undefined);
    const reason = cause instanceof Error ? cause.message : "no reason";
    throw new Error(`PostgreSQL at ${hostname}:${port || "5432"} cannot be used: ${reason}`, {
      cause,
    });
  }
}

/** Looks first: the user of the app need not be allowed to make tables. Others may make it at the same moment. */
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

/**
 * The name is literal and the failure is caught, so that bundlers accept that the package may be
 * absent.
 */
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
