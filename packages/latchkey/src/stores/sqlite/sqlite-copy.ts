import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";

import { openDatabase } from "./sqlite-file.ts";

/** All pages in one step: a copy that pauses begins again whenever somebody writes meanwhile. */
const allPages = 2 ** 31 - 1;
/** Rows of one transaction: apps that share the file write in between. */
const slice = 500;
const waitMs = 5000;

/**
 * Copies a store to a file, while others read and write it.
 *
 * @returns how many entries it has
 * @throws {Error} where there is no such store, or where the copy cannot be written
 */
export async function backUp(file: string, to: string): Promise<number> {
  if (!existsSync(file)) throw new Error(`There is no store at ${file}.`);
  // Writes the id of the store where a former version has made it.
  openDatabase(file).close();
  const partial = `${to}.partial`;
  writeFileSync(partial, "", { mode: 0o600 });
  chmodSync(partial, 0o600);
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: waitMs });
    await backup(database, partial, { rate: allPages });
    database.close();
    const count = complete(partial);
    renameSync(partial, to);
    return count;
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** Makes one file of a copy, which tells when it was made. */
function complete(partial: string): number {
  const copy = new DatabaseSync(partial);
  copy.exec("PRAGMA journal_mode = DELETE; CREATE TABLE copied (at TEXT NOT NULL)");
  copy.prepare("INSERT INTO copied VALUES (?)").run(new Date().toISOString());
  const row = copy.prepare("SELECT count(*) AS entries FROM entries").get();
  copy.close();
  return Number(row?.["entries"]);
}

/** What a restore has done; `refused` where the copy is of another store, and nothing was done. */
export interface Restored {
  readonly kind: "same-store" | "sessions-ended" | "refused";
  /** How many entries came back. */
  readonly entries: number;
  /** ISO 8601. */
  readonly copiedAt: string;
}

/**
 * Puts back what a copy has and the store has lost. What lies in the store stays: marks there are newer. In another
 * store than that of the copy, marks that were made since are missing; so it gets the sessions of the copy only where
 * none of them is to go on.
 *
 * @throws {Error} where the file is no copy
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
  const copy = new DatabaseSync(from, { readOnly: true });
  try {
    return String(copy.prepare("SELECT at FROM copied").get()?.["at"]);
  } catch (cause) {
    throw new Error(`${from} is no copy of a store.`, { cause });
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
