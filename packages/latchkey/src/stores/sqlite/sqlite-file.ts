import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";

import type { StoreFault } from "../../config/telemetry/log-event.ts";
import type { MaybePromise } from "../../maybe-promise.ts";

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
  CREATE TABLE IF NOT EXISTS origin (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL);
`;

/** Which store it is: a copy of it has the same id, and a file that was made in its place another. */
const addOrigin = "INSERT OR IGNORE INTO origin VALUES (1, hex(randomblob(16)))";

/** Before the guard of the store gives the operation up: it would take the file for one that is gone. */
const repeatAtMostMs = 800;

/**
 * Opens a file, which others may be opening at the same moment.
 *
 * @param atMostMs - for so long it waits for others, and everything else in this process with it
 * @param diskOf - the type of the disk that a folder lies on, as `statfs` tells it
 * @throws {Error} where that is a disk of another machine
 */
export function openDatabase(
  file: string,
  atMostMs = 10_000,
  diskOf = (folder: string) => statfsSync(folder).type,
): DatabaseSync {
  if (file !== ":memory:") {
    mkdirSync(dirname(file), { recursive: true });
    checkDisk(diskOf(dirname(file)));
    keepToOwner(file);
    waitForLog(file, Math.min(atMostMs, logAtMostMs));
  }
  // The time-out counts from the first statement on; a change of the journal is refused in spite of it.
  const database = new DatabaseSync(file, { timeout: atMostMs });
  for (const end = performance.now() + atMostMs; ; sleep(10 + Math.random() * 40)) {
    try {
      database.exec(schema);
      // Looked at before: writing takes the lock of the file.
      if (database.prepare("SELECT 1 FROM origin").get() === undefined) database.exec(addOrigin);
      break;
    } catch (error) {
      if (isBusy(error) && performance.now() < end) continue;
      database.close();
      throw sqliteFaultOf(error) === "oom"
        ? new Error("The disk is full.", { cause: error })
        : error;
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
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
}

/** Longer than it takes another process to see that the log was removed. */
const logAtMostMs = 2000;

/**
 * Where the log (`-wal`) was removed alone, another process has the file open, and makes it anew within a second, with all that
 * lies there. One that we made would take its place.
 */
function waitForLog(file: string, atMostMs: number): void {
  const isRemoved = () => existsSync(`${file}-shm`) && !existsSync(`${file}-wal`);
  for (const end = performance.now() + atMostMs; isRemoved() && performance.now() < end;) sleep(20);
}

/** Disks of other machines, by the numbers that Linux gives them: the locks of SQLite do not hold there. */
const networkDisks: ReadonlyMap<number, string> = new Map([
  [0x69_69, "NFS"],
  [0x51_7b, "SMB"],
  [0xfe_53_4d_42, "SMB"],
  [0xff_53_4d_42, "SMB"],
  [0x53_46_41_4f, "AFS"],
  [0x00_c3_64_00, "Ceph"],
]);

function checkDisk(type: number): void {
  const name = process.platform === "linux" ? networkDisks.get(type) : undefined;
  if (name === undefined) return;
  throw new Error(
    `A SQLite file must lie on a disk of this machine, and this folder lies on another (${name}), where its locks do not hold: sessions would be lost. Choose another folder, or Redis or PostgreSQL.`,
  );
}

/** An operation that finds the file locked by another process is repeated for a while beside other requests. */
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
function codesOf(error: unknown): readonly number[] {
  const code = error instanceof Error && "errcode" in error ? error.errcode : undefined;
  return typeof code === "number" ? [code, code & 0xff] : [];
}

function isBusy(error: unknown): boolean {
  return codesOf(error).includes(busy);
}

const faults: ReadonlyMap<number, StoreFault> = new Map([
  // Locked by another process, which reads are not
  [busy, "read-only"],
  [6, "read-only"],
  [8, "read-only"],
  // Full, and writing to a disk beyond a quota
  [13, "oom"],
  [778, "oom"],
  [1034, "oom"],
  [4874, "oom"],
]);

/** What an error of SQLite tells, by its code, or that its file is gone. */
export function sqliteFaultOf(error: unknown): StoreFault | undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return "refused";
  const code = codesOf(error).find((each) => faults.has(each));
  return code === undefined ? undefined : faults.get(code);
}

/** Synchronous, as opening is. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
