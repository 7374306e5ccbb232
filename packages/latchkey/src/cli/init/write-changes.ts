import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import type { Change } from "./unified-diff.ts";

/** A change with the mode of the file; default: that of the former file. */
export interface FileChange extends Change {
  readonly mode?: number;
}

/**
 * Writes all changes or none: each into a temporary file beside its target first, then renamed. If
 * a write fails, the folder is as before: no file is written a second time, so a full disk cannot
 * stop the way back.
 *
 * @throws Error that names the file
 */
export function writeChanges(folder: string, changes: readonly FileChange[]): void {
  const undo: (() => void)[] = [];
  let current = "";
  try {
    const prepared = changes.map((change) => {
      current = change.path;
      return prepare(join(folder, change.path), change, undo);
    });
    for (const { path, target, temporary, former } of prepared) {
      current = path;
      renameSync(temporary, target);
      undo.push(() =>
        former === null ? rmSync(target, { force: true }) : renameSync(former, target),
      );
    }
    for (const { former } of prepared) if (former !== null) attempt(() => rmSync(former));
  } catch (error) {
    for (const step of undo.toReversed()) attempt(step);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${current} could not be written, and nothing has changed: ${reason}`, {
      cause: error,
    });
  }
}

function prepare(target: string, { path, before, after, mode }: FileChange, undo: (() => void)[]) {
  makeFolder(dirname(target), undo);
  const temporary = `${target}.latchkey-tmp`;
  const isNew = before === null;
  const former = isNew ? null : `${target}.latchkey-old`;
  if (former !== null) {
    closeSync(openSync(target, "r+"));
    undo.push(() => rmSync(former, { force: true }));
    copyFileSync(target, former);
  }
  rmSync(temporary, { force: true });
  undo.push(() => rmSync(temporary, { force: true }));
  const file = openSync(temporary, "wx", mode ?? (isNew ? 0o666 : statSync(target).mode & 0o777));
  try {
    writeFileSync(file, after);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return { path, target, temporary, former };
}

function makeFolder(folder: string, undo: (() => void)[]): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder), undo);
  mkdirSync(folder);
  undo.push(() => rmSync(folder, { recursive: true }));
}

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // The other steps are tried too.
  }
}
