import { existsSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { dirname } from "node:path";

import { openDatabase } from "./sqlite-file.ts";

/** All pages in one step: a copy with pauses begins again after every write. */
const allPages = 2 ** 31 - 1;
/** Rows of one transaction: apps with the same file write in between. */
const slice = 500;
const waitMs = 5000;

/** What a backup has written. */
export interface BackedUp {
  readonly entries: number;
  /** When the copy was made whose place this one took, in ISO 8601. */
  readonly replaces: string | null;
}

/**
 * Copies a store to a file, while others read and write it.
 *
 * @throws {Error} if there is no such store, if the copy cannot be written, or if another file
 *   would be lost
 */
export async function backUp(file: string, to: string): Promise<BackedUp> {
  if (!existsSync(file)) throw new Error(`There is no store at ${file}.`);
  const folder = dirname(to);
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}: create it first.`);
  const replaces = existsSync(to) ? timeOfCopy(to) : null;
  // Writes the id of the store into a file of a former version.
  openDatabase(file).close();
  const partial = `${to}.partial`;
  // Removes the rest of an interrupted backup. A link placed there meanwhile is not followed.
  rmSync(partial, { force: true });
  writeFileSync(partial, "", { mode: 0o600, flag: "wx" });
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: waitMs });
    await backup(database, partial, { rate: allPages });
    database.close();
    const entries = complete(partial);
    renameSync(partial, to);
    return { entries, replaces };
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** Completes a copy into one file with the time of the copy. */
function complete(partial: string): number {
  const copy = new DatabaseSync(partial);
  copy.exec("PRAGMA journal_mode = DELETE; CREATE TABLE copied (at TEXT NOT NULL)");
  copy.prepare("INSERT INTO copied VALUES (?)").run(new Date().toISOString());
  const row = copy.prepare("SELECT count(*) AS entries FROM entries").get();
  copy.close();
  return Number(row?.["entries"]);
}

/** The result of a restore; `refused` for a copy of another store: nothing was changed. */
export interface Restored {
  readonly kind: "same-store" | "sessions-ended" | "refused";
  /** How many entries came back. */
  readonly entries: number;
  /** ISO 8601. */
  readonly copiedAt: string;
}

/**
 * Restores the entries that a copy has and the store has lost. Existing entries stay: marks there
 * are newer. A new store has none of the marks since the copy, so it gets the sessions of the copy
 * only as ended ones.
 *
 * @throws {Error} if the file is not a copy
 */
export function restore(
  file: string,
  from: string,
  { endSessions }: { readonly endSessions: boolean },
): Restored {
  const copiedAt = timeOfCopy(from);
  const database = openDatabase(file);
  database.exec(`PRAGMA busy_timeout = ${waitMs}`);
  try {
    database.prepare("ATTACH ? AS copy").run(from);
    const isSame = originIn(database, "main") === originIn(database, "copy");
    if (!isSame && !endSessions) return { kind: "refused", entries: 0, copiedAt };
    const entries = putBack(database, !endSessions);
    return { kind: endSessions ? "sessions-ended" : "same-store", entries, copiedAt };
  } finally {
    database.close();
  }
}

function timeOfCopy(from: string): string {
  if (!existsSync(from)) throw new Error(`There is no copy at ${from}.`);
  if (statSync(from).isDirectory()) throw new Error(`${from} is a folder: name a file in it.`);
  const copy = new DatabaseSync(from, { readOnly: true });
  try {
    return String(copy.prepare("SELECT at FROM copied").get()?.["at"]);
  } catch (cause) {
    throw new Error(`${from} is no copy of a store: name another file.`, { cause });
  } finally {
    copy.close();
  }
}

function originIn(database: DatabaseSync, schema: "main" | "copy"): unknown {
  return database.prepare(`SELECT id FROM ${schema}.origin`).get()?.["id"];
}

function putBack(database: DatabaseSync, withSessions: boolean): number {
  const isSession = "key >= 'session|' AND key < 'session}'";
  const which = withSessions ? "" : `AND NOT (${isSession})`;
  const keysAfter = database.prepare(
    `SELECT key FROM copy.entries WHERE key > ? ORDER BY key LIMIT ${slice}`,
  );
  const copySlice = database.prepare(
    `INSERT INTO main.entries SELECT * FROM copy.entries WHERE key > ? AND key <= ? ${which}
      ON CONFLICT DO NOTHING`,
  );
  let entries = 0;
  for (let last = ""; ;) {
    const next = keysAfter.all(last).at(-1)?.["key"];
    if (next === undefined) break;
    entries += Number(copySlice.run(last, String(next)).changes);
    last = String(next);
  }
  if (withSessions) {
    database.exec(
      "INSERT INTO main.members SELECT * FROM copy.members WHERE true ON CONFLICT DO NOTHING",
    );
  }
  return entries;
}
