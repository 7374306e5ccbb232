import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";

import type { StoreFault } from "../../telemetry/log-event.ts";
import type { MaybePromise } from "../../time/maybe-promise.ts";

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

/** The id of a store: a copy has the same id, and a new file in its place another one. */
const addOrigin = "INSERT OR IGNORE INTO origin VALUES (1, hex(randomblob(16)))";

/** Less than the time limit of the guard, which would take the file for a missing one. */
const repeatAtMostMs = 800;

/**
 * Opens a file, possibly at the same time as other processes.
 *
 * @param atMostMs - the longest blocking wait for other processes
 * @param diskOf - the type of a folder's disk, as `statfs` returns it
 * @throws {Error} for a disk of another machine
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
  // The time limit counts from the first statement; a change of the journal is refused despite it.
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
 * The file has sealed sessions; their number and times are private too. SQLite gives the files
 * beside it the same permissions, so they are set before the first open.
 */
function keepToOwner(file: string): void {
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
}

/** Longer than another process needs to notice the removal of the log. */
const logAtMostMs = 2000;

/**
 * If only the log (`-wal`) was removed, another process has the file open, and creates the log
 * again within a second, with all of its content. A log of ours would replace it.
 */
function waitForLog(file: string, atMostMs: number): void {
  const isRemoved = () => existsSync(`${file}-shm`) && !existsSync(`${file}-wal`);
  for (const end = performance.now() + atMostMs; isRemoved() && performance.now() < end;) sleep(20);
}

/** Network disks, by the numbers of Linux: the locks of SQLite do not work there. */
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

/** Repeats an operation on a file locked by another process, for a while and without blocking. */
export function whenFree<T>(operation: () => T): MaybePromise<T> {
  try {
    return operation();
  } catch (error) {
    if (!isBusy(error)) throw error;
    return repeatWhileBusy(operation);
  }
}

async function repeatWhileBusy<T>(operation: () => T): Promise<T> {
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

/** Returns the fault for an error of SQLite, by its code, or for a missing file. */
export function sqliteFaultOf(error: unknown): StoreFault | undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return "refused";
  const code = codesOf(error).find((each) => faults.has(each));
  return code === undefined ? undefined : faults.get(code);
}

/** Synchronous, as opening is. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
