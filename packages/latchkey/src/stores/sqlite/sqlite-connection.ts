import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

import { openDatabase } from "./sqlite-file.ts";
import { prepareStatements, type SQLiteStatements } from "./sqlite-statements.ts";

/** The file of a store, opened, and opened anew where another file has taken its place. */
export interface SQLiteConnection {
  /** @throws {Error} `ENOENT` while no file is there */
  statements(): SQLiteStatements;
  close(): void;
}

const lookEveryMs = 1000;

/**
 * SQLite goes on with a file that was removed, and other processes cannot see what it writes there: ends of sessions
 * would be lost. So the path is checked once a second. A file that was removed is never created again.
 *
 * @throws {Error} where the file cannot be opened
 */
export function connectSQLite(file: string): SQLiteConnection {
  let opened: Opened | null = open(file);
  const timer = file === ":memory:" ? undefined : setInterval(look, lookEveryMs).unref();

  function look(): void {
    const inode = inodeOf(file);
    if (inode === opened?.inode) return;
    opened?.database.close();
    opened = inode === null ? null : openAgain(file);
  }

  return {
    statements() {
      if (opened !== null) return opened.statements;
      throw Object.assign(new Error("The file of the store is gone."), { code: "ENOENT" });
    },
    close() {
      clearInterval(timer);
      opened?.database.close();
    },
  };
}

interface Opened {
  readonly database: DatabaseSync;
  readonly statements: SQLiteStatements;
  readonly inode: bigint | null;
}

function open(file: string, atMostMs?: number): Opened {
  const database = openDatabase(file, atMostMs);
  return { database, statements: prepareStatements(database), inode: inodeOf(file) };
}

/** `null` where it cannot be opened yet: it is looked at again. */
function openAgain(file: string): Opened | null {
  try {
    return open(file, 0);
  } catch {
    return null;
  }
}

/** Which file lies there; `null` where none does, or where nobody lets us look. */
function inodeOf(file: string): bigint | null {
  try {
    return statSync(file, { bigint: true }).ino;
  } catch {
    return null;
  }
}
