import type { StoreFault } from "../telemetry/log-event.ts";
import { leaseText, msUntil, type Store } from "./store.ts";
import { faultNamed, type FaultNames } from "./guard/store-fault.ts";

/** A client or a pool of `pg`. */
interface PGClient {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** The client created by `postgres`. */
interface PostgresClient {
  unsafe(text: string, values: never[]): PromiseLike<readonly unknown[]>;
}

/** For {@link postgresStore}. */
interface PostgresStoreOptions {
  /** Name of the table; `latchkey` by default. */
  readonly table?: string | undefined;
}

/**
 * The SQL for the table of the store and its indexes. They are not unique: only the key may decide
 * between concurrent writes.
 */
export function postgresTable(table = "latchkey"): string {
  const indexName = (suffix: string) => quoteName(`${table.split(".").at(-1)}_${suffix}`);
  return `CREATE TABLE IF NOT EXISTS ${quoteName(table)} (
  key text PRIMARY KEY,
  value text NOT NULL,
  index_name text,
  expires_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS ${indexName("by_expiry")} ON ${quoteName(table)} (expires_at);
CREATE INDEX IF NOT EXISTS ${indexName("by_index")} ON ${quoteName(table)} (index_name)
  WHERE index_name IS NOT NULL;`;
}

const sweepEveryMs = 60_000;

/**
 * Creates a store in PostgreSQL, for an app on several machines. All times are judged by the clock
 * of the database. Each operation is one statement and leaves nothing in the session, so a pooler
 * in transaction mode is fine.
 * The app owns and closes the client; {@link postgresTable} creates the table.
 */
export function postgresStore(
  client: PGClient | PostgresClient,
  { table = "latchkey" }: PostgresStoreOptions = {},
): Store {
  assertClient(client);
  const query = queryOf(client);
  const texts = statements(quoteName(table));
  const timer = setInterval(() => void sweep(query, texts.sweep), sweepEveryMs).unref();

  const add = async (key: string, value: string, ms: number) =>
    (await query(texts.add, key, value, ms)).length === 1;

  return {
    kind: "postgres",
    async get(keys) {
      const rows = keys.length === 0 ? [] : await query(texts.get, [...new Set(keys)]);
      const found = new Map(rows.map(({ key, value }) => [key, String(value)]));
      return keys.map((key) => found.get(key) ?? null);
    },
    set: async (key, value, expiresAt) =>
      void (await query(texts.set, key, value, msUntil(expiresAt))),
    add: (key, value, expiresAt) => add(key, value, msUntil(expiresAt)),
    async swap(key, expected, value, expiresAt) {
      const [row] = await query(texts.swap, key, value, msUntil(expiresAt), expected);
      if (row === undefined) return "absent";
      return row["value"] === value ? "done" : "changed";
    },
    delete: async (key) => void (await query(texts.delete, key)),
    lease: (key, owner, ms) => add(key, leaseText(owner), ms),
    release: async (key, owner) => void (await query(texts.release, key, leaseText(owner))),
    join: async (index, key, expiresAt) =>
      void (await query(texts.join, memberKey(index, key), key, msUntil(expiresAt), index)),
    leave: async (index, key) => void (await query(texts.delete, memberKey(index, key))),
    members: async (index) => (await query(texts.members, index)).map(({ value }) => String(value)),
    faultOf,
    async warnings() {
      const endless = await query(texts.endless, Object.keys(limits));
      return endless.length === 0 ? [] : [endlessWaits(endless.map(({ name }) => String(name)))];
    },
    close: () => clearInterval(timer),
  };
}

/** For the user of the app. */
const limits: Readonly<Record<string, string>> = {
  lock_timeout: "500ms",
  statement_timeout: "1500ms",
};

function endlessWaits(names: readonly string[]): string {
  const settings = names.map((name) => `${name} to '${limits[name]}'`).join(" and ");
  return `PostgreSQL lets statements wait for a lock longer than anybody waits for them: its connections may be used up, and a locked table looks like a server that says nothing. Set ${settings} for the user of this app (ALTER ROLE).`;
}

/**
 * Every operation is one statement: no other write comes between read and write. Ends are sent as
 * milliseconds from now, so a wrong clock here does not matter.
 */
function statements(table: string) {
  const end = "now() + $3::float8 * interval '1 millisecond'";
  const set = `INSERT INTO ${table} AS t (key, value, expires_at) VALUES ($1::text, $2::text, ${end})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`;
  return {
    get: `SELECT key, value FROM ${table} WHERE key = ANY($1::text[]) AND expires_at > now()`,
    set,
    add: `${set} WHERE t.expires_at <= now() RETURNING 1 AS written`,
    swap: `UPDATE ${table} SET
      value = CASE WHEN value = $4::text THEN $2::text ELSE value END,
      expires_at = CASE WHEN value = $4::text THEN ${end} ELSE expires_at END
      WHERE key = $1::text AND expires_at > now() RETURNING value`,
    delete: `DELETE FROM ${table} WHERE key = $1::text`,
    endless:
      "SELECT name FROM pg_settings WHERE name = ANY($1::text[]) AND setting = '0' ORDER BY name",
    release: `DELETE FROM ${table} WHERE key = $1::text AND value = $2::text`,
    join: `INSERT INTO ${table} (key, value, expires_at, index_name)
      VALUES ($1::text, $2::text, ${end}, $4::text)
      ON CONFLICT (key) DO UPDATE SET expires_at = excluded.expires_at`,
    members: `SELECT value FROM ${table} WHERE index_name = $1::text AND expires_at > now()`,
    sweep: `DELETE FROM ${table} WHERE key IN (SELECT key FROM ${table} WHERE expires_at <= now()
      ORDER BY expires_at LIMIT 500 FOR UPDATE SKIP LOCKED) RETURNING 1 AS removed`,
  };
}

type Row = Readonly<Record<string, unknown>>;
type Query = (text: string, ...values: readonly unknown[]) => Promise<readonly Row[]>;

/** @throws {TypeError} for an address, or for nothing, which JavaScript lets pass */
function assertClient(given: Partial<PGClient & PostgresClient> | undefined): void {
  if (typeof given?.query === "function" || typeof given?.unsafe === "function") return;
  throw new TypeError(
    "postgresStore() takes a pool of pg, or what postgres makes; openStore() of latchkey/node takes an address",
  );
}

function queryOf(client: PGClient | PostgresClient): Query {
  return async (text, ...values) => {
    const rows =
      "unsafe" in client
        ? await client.unsafe(text, values as never[])
        : (await client.query(text, [...values])).rows;
    return rows as readonly Row[];
  };
}

/**
 * Several instances may sweep together: each takes the unlocked rows. The next sweep retries
 * failures.
 */
async function sweep(query: Query, text: string): Promise<void> {
  const removed = await query(text).catch(() => []);
  if (removed.length > 0) await sweep(query, text);
}

/** Members are stored beside the entries, under keys of their own. */
function memberKey(index: string, key: string): string {
  return `member|${index}|${key}`;
}

function quoteName(name: string): string {
  return name
    .split(".")
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join(".");
}

/** By the error code of PostgreSQL (class 08 is about connections), or of a client. */
function faultOf(error: Error): StoreFault | undefined {
  const isLost = "code" in error && String(error.code).startsWith("08");
  return faultNamed(error, faults) ?? (isLost || isTerminated(error) ? "refused" : undefined);
}

/** What pg says, without a code. */
function isTerminated({ message }: Error): boolean {
  return /^Connection (?:terminated|lost)|^timeout exceeded when trying to connect/i.test(message);
}

const faults: FaultNames = {
  // PostgreSQL
  "25006": "read-only",
  "53100": "oom",
  "53200": "oom",
  "53300": "refused",
  // The table is locked
  "55P03": "read-only",
  "57014": "timeout",
  "57P01": "refused",
  "57P02": "refused",
  "57P03": "refused",
  // postgres
  CONNECTION_CLOSED: "refused",
  CONNECTION_DESTROYED: "refused",
  CONNECTION_ENDED: "refused",
  CONNECT_TIMEOUT: "timeout",
};
