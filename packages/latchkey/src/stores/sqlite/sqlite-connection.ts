import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

import { openDatabase } from "./sqlite-file.ts";
import { prepareStatements, type SQLiteStatements } from "./sqlite-statements.ts";

const lookEveryMs = 1000;

/**
 * The file of a store, opened, and opened anew where another file has taken its place.
 *
 * SQLite goes on with files that were removed, and other processes cannot see what it writes there: ends of sessions
 * would be lost. So the paths are checked once a second. A file that was removed is never created again; its log
 * (`-wal`) and the index of that (`-shm`) are.
 *
 * @throws {Error} where the file cannot be opened
 */
export function connectSQLite(file: string) {
  let opened: Opened | null = open(file);
  const timer = file === ":memory:" ? undefined : setInterval(look, lookEveryMs).unref();

  function look(): void {
    const inodes = inodesOf(file);
    if (opened?.inodes.join() === inodes.join()) return;
    if (opened !== null) leave(opened, inodes);
    opened = inodes[0] === null ? null : openAgain(file);
  }

  return {
    /** @throws {Error} `ENOENT` while no file is there */
    statements(): SQLiteStatements {
      if (opened !== null) return opened.statements;
      throw Object.assign(new Error("The file of the store is gone."), { code: "ENOENT" });
    },
    close(): void {
      clearInterval(timer);
      opened?.database.close();
    },
  };
}

interface Opened {
  readonly database: DatabaseSync;
  readonly statements: SQLiteStatements;
  readonly inodes: Inodes;
}

/** Of the file, its log, and the index of that; `null` where none lies there, or where nobody lets us look. */
type Inodes = readonly (bigint | null)[];

function open(file: string, atMostMs?: number): Opened {
  const database = openDatabase(file, atMostMs);
  return { database, statements: prepareStatements(database), inodes: inodesOf(file) };
}

/** What lies in a log that was removed goes to the file, unless somebody has begun another log since. */
function leave({ database, inodes: [former] }: Opened, [present, log]: Inodes): void {
  try {
    if (present === former && log === null) database.exec("PRAGMA wal_checkpoint");
  } catch {
    // The file cannot be written either.
  } finally {
    database.close();
  }
}

/** `null` where it cannot be opened yet: it is looked at again. */
function openAgain(file: string): Opened | null {
  try {
    return open(file, 0);
  } catch {
    return null;
  }
}

function inodesOf(file: string): Inodes {
  return ["", "-wal", "-shm"].map((suffix) => {
    try {
      return statSync(file + suffix, { bigint: true }).ino;
    } catch {
      return null;
    }
  });
}
