import { fullJitterMs } from "./back-off.ts";
import type { Background } from "./background.ts";

interface Repeating {
  readonly background: Background;
  /** Returns a number from 0 to less than 1. */
  readonly fraction: () => number;
}

const backOff = { baseMs: 200, capMs: 10_000 };
/** About a minute and a half. */
const failuresAtMost = 16;

/**
 * Repeats a failed write until the store takes it, and gives up after a while, or when all is
 * closed.
 */
export function repeatInBackground(
  { fraction, background }: Repeating,
  write: () => Promise<unknown>,
): void {
  async function repeat(failures: number): Promise<void> {
    await background.pause(fullJitterMs(failures, backOff, fraction()));
    try {
      await write();
    } catch {
      // The guard of the store has logged it.
      if (failures < failuresAtMost && !background.isClosing()) await repeat(failures + 1);
    }
  }
  background.run("a repeated write", repeat(1));
}
