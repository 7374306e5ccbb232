import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";

import { leaseText } from "./lease.ts";
import type { Store, SwapResult } from "./store.ts";

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA busy_timeout = 1000;
  CREATE TABLE IF NOT EXISTS entries (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_by_expiry ON entries (expires_at);
  CREATE TABLE IF NOT EXISTS members (
    index_name TEXT NOT NULL,
    key TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (index_name, key)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS members_by_expiry ON members (expires_at);
`;

const upsert =
  "ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at";

/** Keys that one statement asks for; each statement takes and gives back the lock of the file. */
const keysAtOnce = 16;

/** Expired entries are removed once in so many writes. */
const sweepEvery = 256;

/**
 * A store in one SQLite file, for an app on one machine: survives restarts and crashes, and several processes
 * may share the file.
 *
 * @param file a path, or `:memory:`
 * @param now the clock, in epoch milliseconds
 */
export function sqliteStore(file: string, now: () => number = Date.now): Store {
  const database = openDatabase(file);
  const select = selections(database);
  const statements = prepare(database);
  let writes = 0;

  const nowSeconds = () => now() / 1000;
  const after = (ms: number) => (now() + ms) / 1000;
  function countWrite(): void {
    writes += 1;
    if (writes % sweepEvery !== 0) return;
    statements.sweep.run(nowSeconds());
    statements.sweepMembers.run(nowSeconds());
  }

  function add(key: string, value: string, expiresAt: number): boolean {
    countWrite();
    return statements.addWhereAbsent.run(key, value, expiresAt, nowSeconds()).changes === 1;
  }

  /** One statement, which returns what lies there afterwards: so nobody writes between look and write. */
  function swap(key: string, expected: string, value: string, expiresAt: number): SwapResult {
    countWrite();
    const row = statements.compareAndSet.get(key, value, expiresAt, nowSeconds(), expected);
    if (row === undefined) return "absent";
    return row["value"] === value ? "done" : "changed";
  }

  return {
    get(keys) {
      const moment = nowSeconds();
      const found: (string | null)[] = [];
      for (let start = 0; start < keys.length; start += keysAtOnce) {
        const some = keys.slice(start, start + keysAtOnce);
        found.push(...textsOf(select(some.length).get(moment, ...some)));
      }
      return found;
    },
    set(key, value, expiresAt) {
      statements.write.run(key, value, expiresAt);
      countWrite();
    },
    add,
    swap,
    delete(key) {
      statements.remove.run(key);
    },
    lease: (key, owner, ms) => add(key, leaseText(owner), after(ms)),
    release(key, owner) {
      statements.removeWhereEqual.run(key, leaseText(owner));
    },
    settle: (key, owner, value, ms) => swap(key, leaseText(owner), value, after(ms)) === "done",
    ...indexesOf(statements, nowSeconds, countWrite),
    close() {
      database.close();
    },
  };
}

function indexesOf(
  statements: ReturnType<typeof prepare>,
  nowSeconds: () => number,
  countWrite: () => void,
): Pick<Store, "join" | "leave" | "members"> {
  return {
    join(index, key, expiresAt) {
      statements.join.run(index, key, expiresAt);
      countWrite();
    },
    leave(index, key) {
      statements.leave.run(index, key);
    },
    members: (index) => statements.members.all(index, nowSeconds()).map(({ key }) => String(key)),
  };
}

function prepare(database: DatabaseSync) {
  return {
    write: database.prepare(`INSERT INTO entries VALUES (?, ?, ?) ${upsert}`),
    addWhereAbsent: database.prepare(
      `INSERT INTO entries VALUES (?1, ?2, ?3) ${upsert} WHERE entries.expires_at <= ?4`,
    ),
    compareAndSet: database.prepare(
      `UPDATE entries SET
        value = iif(value = ?5, ?2, value), expires_at = iif(value = ?5, ?3, expires_at)
        WHERE key = ?1 AND expires_at > ?4 RETURNING value`,
    ),
    remove: database.prepare("DELETE FROM entries WHERE key = ?"),
    removeWhereEqual: database.prepare("DELETE FROM entries WHERE key = ? AND value = ?"),
    join: database.prepare(
      `INSERT INTO members VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at`,
    ),
    leave: database.prepare("DELETE FROM members WHERE index_name = ? AND key = ?"),
    members: database.prepare("SELECT key FROM members WHERE index_name = ? AND expires_at > ?"),
    sweepMembers: database.prepare(
      `DELETE FROM members WHERE (index_name, key) IN
        (SELECT index_name, key FROM members WHERE expires_at <= ? LIMIT 1024)`,
    ),
    sweep: database.prepare(
      "DELETE FROM entries WHERE key IN (SELECT key FROM entries WHERE expires_at <= ? LIMIT 1024)",
    ),
  };
}

function openDatabase(file: string): DatabaseSync {
  if (file !== ":memory:") keepToOwner(file);
  const database = new DatabaseSync(file);
  database.exec(schema);
  return database;
}

/**
 * Sessions lie in this file, sealed; their number and times are nobody else's business either. SQLite gives the
 * files beside it the same permissions, so they are set before it opens the first.
 */
function keepToOwner(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
}

/** Statements that ask for so many keys, each made when it is first needed. */
function selections(database: DatabaseSync): (count: number) => StatementSync {
  const known: StatementSync[] = [];
  return (count) => {
    const made = known[count] ?? selection(database, count);
    known[count] = made;
    return made;
  };
}

/** One row with one column for each key, in their order. */
function selection(database: DatabaseSync, count: number): StatementSync {
  const columns = Array.from(
    { length: count },
    (_, place) => `(SELECT value FROM entries WHERE key = ?${place + 2} AND expires_at > ?1)`,
  );
  const statement = database.prepare(`SELECT ${columns.join(", ")}`);
  statement.setReturnArrays(true);
  return statement;
}

function textsOf(row: unknown): readonly (string | null)[] {
  const values: readonly unknown[] = Array.isArray(row) ? row : [];
  return values.map((value) => (typeof value === "string" ? value : null));
}
