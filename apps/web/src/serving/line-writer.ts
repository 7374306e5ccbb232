import type { Writable } from "node:stream";

/** Writes lines, and never waits for the reader. */
export interface LineWriter {
  /** Dropped, and counted, while too much waits to be read. A line ends with a line break. */
  write(line: string): void;
  /** The same for lines of the audit, which are dropped much later. */
  writeDurably(line: string): void;
  /** Resolves when all is written, or after so many milliseconds. */
  flush(withinMs: number): Promise<void>;
}

/** Waiting bytes: of the log, and of both together, which is more than 10,000 lines of an audit. */
const logAtMost = 1024 * 1024;
const allAtMost = 16 * 1024 * 1024;

/** @param logDropped - makes a line of how many lines were dropped */
export function createLineWriter(
  stream: Writable,
  logDropped: (count: number) => string,
): LineWriter {
  let dropped = 0;

  function writeBelow(limit: number, line: string): void {
    if (stream.writableLength > limit) {
      dropped += 1;
      return;
    }
    stream.write(line);
  }

  stream.on("drain", () => {
    if (dropped === 0) return;
    const line = logDropped(dropped);
    dropped = 0;
    stream.write(line);
  });
  // The reader is gone: there is no other output to report it.
  stream.on("error", () => undefined);

  return {
    write: (line) => writeBelow(logAtMost, line),
    writeDurably: (line) => writeBelow(allAtMost, line),
    flush: (withinMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        stream.write("", () => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}

/**
 * Standard output without blocking. To a pipe on Windows, Node would write synchronously, and wait
 * forever for a reader that has stopped.
 */
export function standardOutput(): Writable {
  const { stdout } = process;
  // Documented here only: https://nodejs.org/api/process.html#a-note-on-process-io
  const { _handle: handle } = stdout as { _handle?: { setBlocking?: (blocking: boolean) => void } };
  if (!stdout.isTTY) handle?.setBlocking?.(false);
  return stdout;
}
