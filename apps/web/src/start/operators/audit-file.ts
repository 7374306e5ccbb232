import { chmodSync, statSync } from "node:fs";

import { pino } from "pino";

/** Lines could not be written; `dropped` of them could not wait. */
export interface AuditFault {
  readonly error: Error;
  readonly dropped: number;
}

/** Bytes that may wait during a fault: more than 10,000 lines. */
const waitingAtMost = 16 * 1024 * 1024;
const reportEveryMs = 60_000;

/**
 * Opens the file of an audit to append lines. Lines wait while the disk is full, and are written
 * before the next line. After log rotation has renamed or removed the file, a new one begins.
 *
 * @param onFault is called once a minute
 * @throws {Error} if it cannot be opened
 */
export function openAuditFile(
  path: string,
  onFault: (fault: AuditFault) => void,
): (line: string) => void {
  closeToOthers(path);
  const file = pino.destination({
    dest: path,
    mode: 0o600,
    mkdir: true,
    // Otherwise the process writes waiting lines at its end, which hangs while the disk is full.
    sync: true,
    maxLength: waitingAtMost,
  });
  let dropped = 0;
  let nextReportAt = 0;

  file.on("drop", () => (dropped += 1));
  // A fault of the audit refuses no request.
  file.on("error", (error: Error) => {
    if (performance.now() < nextReportAt) return;
    nextReportAt = performance.now() + reportEveryMs;
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
      // The listener above reports it. The failed attempt has left listeners to close the file.
      file.removeAllListeners("ready");
    }
  }

  return (line) => {
    followPath();
    file.write(`${line}\n`);
  };
}

/** A file of an older release, or of an editor. Its group may be the one of a log shipper. */
function closeToOthers(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) chmodSync(path, found.mode & 0o770);
}

/** The file behind a path now; `undefined` without one. */
function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
