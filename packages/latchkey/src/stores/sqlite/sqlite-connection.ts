import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

import { openDatabase } from "./sqlite-file.ts";
import { prepareStatements, type SQLiteStatements } from "./sqlite-statements.ts";

const lookEveryMs = 1000;

/**
 * Opens the file of a store, and opens it again after another file has replaced it.
 * SQLite continues with removed files, and other processes cannot see its writes there: ends of
 * sessions would be lost. So the paths are checked once a second. A removed file is never created
 * again; its log (`-wal`) and the index of the log (`-shm`) are.
 *
 * @throws {Error} if the file cannot be opened
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

/** Of the file, its log, and the index of the log; `null` for a missing or inaccessible one. */
type Inodes = readonly (bigint | null)[];

function open(file: string, atMostMs?: number): Opened {
  const database = openDatabase(file, atMostMs);
  return { database, statements: prepareStatements(database), inodes: inodesOf(file) };
}

/** Writes the content of a removed log to the file, unless another log exists already. */
function leave({ database, inodes: [former] }: Opened, [present, log]: Inodes): void {
  try {
    if (present === former && log === null) database.exec("PRAGMA wal_checkpoint");
  } catch {
    // The file cannot be written either.
  } finally {
    database.close();
  }
}

/** `null` if it cannot be opened yet: it is checked again. */
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
