import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";

import type { MaybePromise } from "../maybe-promise.ts";

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
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

const openAtMostMs = 10_000;
const repeatAtMostMs = 900;

/** Opens a file, which others may be opening at the same moment. */
export function openDatabase(file: string): DatabaseSync {
  if (file !== ":memory:") keepToOwner(file);
  // The time-out counts from the first statement on; a change of the journal is refused in spite of it.
  const database = new DatabaseSync(file, { timeout: openAtMostMs });
  for (const end = performance.now() + openAtMostMs; ; sleep(10 + Math.random() * 40)) {
    try {
      database.exec(schema);
      break;
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
  }
  // From now on nothing waits: the driver would block every request of this process meanwhile.
  database.exec("PRAGMA busy_timeout = 0");
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

/** An operation that finds the file locked by another process is repeated, for a second, beside other requests. */
export function whenFree<T>(operation: () => T): MaybePromise<T> {
  try {
    return operation();
  } catch (error) {
    if (!isBusy(error)) throw error;
    return repeated(operation);
  }
}

async function repeated<T>(operation: () => T): Promise<T> {
  for (const end = performance.now() + repeatAtMostMs; ;) {
    // oxlint-disable-next-line no-await-in-loop -- each try follows a wait
    await setTimeout(1 + Math.random() * 10);
    try {
      return operation();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
  }
}

const busy = 5;

/** SQLite gives more exact codes in the higher bytes. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error)) return false;
  return typeof error.errcode === "number" && (error.errcode & 0xff) === busy;
}

/** Synchronous, as opening is. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
