import { statSync } from "node:fs";

import { pino } from "pino";

/** Lines could not be written; so many were too many to wait. */
export interface AuditFault {
  readonly error: Error;
  readonly dropped: number;
}

/** Bytes that may wait while the file takes none: more than 10,000 lines. */
const waitingAtMost = 16 * 1024 * 1024;
const tellEveryMs = 60_000;

/**
 * Opens the file of an audit, which lines are appended to. What a full disk does not take waits, and is written before
 * the next line. Where the file is renamed or removed, as log rotation does, a new one is begun.
 *
 * @param onFault is told once a minute
 * @throws {Error} where it cannot be opened
 */
export function openAuditFile(
  path: string,
  onFault: (fault: AuditFault) => void,
): (line: string) => void {
  const file = pino.destination({
    dest: path,
    mkdir: true,
    // Else what waits is written when the process ends, which lasts as long as the disk is full.
    sync: true,
    maxLength: waitingAtMost,
  });
  let dropped = 0;
  let tellAgainAt = 0;

  file.on("drop", () => (dropped += 1));
  // Nobody is kept out because a line cannot be written.
  file.on("error", (error: Error) => {
    if (performance.now() < tellAgainAt) return;
    tellAgainAt = performance.now() + tellEveryMs;
    onFault({ error, dropped });
    dropped = 0;
  });

  let inode = inodeOf(path);

  function followPath(): void {
    try {
      if (inodeOf(path) === inode) return;
      file.reopen();
      inode = inodeOf(path);
    } catch {
      // The listener above is told why. What reopening left behind would close the file that goes on.
      file.removeAllListeners("ready");
    }
  }

  return (line) => {
    followPath();
    file.write(`${line}\n`);
  };
}

/** Which file a path names now; `undefined` where it names none. */
function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
