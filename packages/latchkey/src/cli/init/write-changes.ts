import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
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
  /** Judges the text of the draft, before it takes the place of the file. Throws if it is wrong. */
  readonly check?: (text: string) => void;
}

/** In the folder of the app, so that a rename moves a file from here to its place. */
const draftFolder = ".latchkey-drafts";

/**
 * Writes all changes or none: each into a draft first, then renamed. If a write fails, the folder
 * is as before: no file is written a second time, so a full disk cannot stop the way back. What a
 * killed process leaves is out of the sight of git, and the next run removes it.
 *
 * @throws Error that names the file
 */
export function writeChanges(folder: string, changes: readonly FileChange[]): void {
  const undo: (() => void)[] = [];
  const drafts = join(folder, draftFolder);
  let current = draftFolder;
  try {
    makeDraftFolder(drafts);
    const prepared = changes.map((change, index) => {
      current = change.path;
      return prepare(join(folder, change.path), join(drafts, `${index}`), { change, undo });
    });
    for (const { path, target, draft, former, isRemoved } of prepared) {
      current = path;
      if (isRemoved === true) rmSync(target);
      else renameSync(draft, target);
      undo.push(() =>
        former === null ? rmSync(target, { force: true }) : renameSync(former, target),
      );
    }
  } catch (error) {
    for (const step of undo.toReversed()) attempt(step);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${current} could not be written, and nothing has changed: ${reason}`, {
      cause: error,
    });
  } finally {
    attempt(() => rmSync(drafts, { recursive: true, force: true }));
  }
}

/** The drafts hold secrets: only this account reads them, and git ignores all of the folder. */
function makeDraftFolder(drafts: string): void {
  rmSync(drafts, { recursive: true, force: true });
  mkdirSync(drafts, { mode: 0o700 });
  writeFileSync(join(drafts, ".gitignore"), "*\n");
}

interface Preparation {
  readonly change: FileChange;
  readonly undo: (() => void)[];
}

function prepare(target: string, draft: string, { change, undo }: Preparation) {
  const { path, before, after, mode, check, isRemoved } = change;
  makeFolder(dirname(target), undo);
  const isNew = before === null;
  const former = isNew ? null : `${draft}.former`;
  if (former !== null) {
    closeSync(openSync(target, "r+"));
    copyFileSync(target, former);
  }
  const file = openSync(draft, "wx", mode ?? (isNew ? 0o666 : statSync(target).mode & 0o777));
  try {
    writeFileSync(file, after);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  check?.(readFileSync(draft, "utf8"));
  return { path, target, draft, former, isRemoved };
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
