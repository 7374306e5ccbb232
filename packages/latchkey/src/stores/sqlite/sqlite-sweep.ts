import type { SQLiteStatements } from "./sqlite-statements.ts";

const everyMs = 30_000;
const everyWrites = 256;
/** Seconds after its end for which a row is kept: a clock may be wrong for a moment. */
const keptSeconds = 60;

/**
 * Removes what expired a minute ago, in small slices between the requests.
 *
 * @param nowSeconds the clock, in epoch seconds
 */
export function createSweep(statements: () => SQLiteStatements, nowSeconds: () => number) {
  let writes = 0;
  let slice: ReturnType<typeof setImmediate> | undefined;
  const timer = setInterval(begin, everyMs).unref();

  function begin(): void {
    slice ??= setImmediate(removeSome);
  }

  function removeSome(): void {
    slice = undefined;
    if (removeExpired(statements, nowSeconds() - keptSeconds) > 0) begin();
  }

  return {
    /** Starts a sweep after enough writes. */
    countWrite(): void {
      writes += 1;
      if (writes % everyWrites === 0) begin();
    },
    stop(): void {
      clearInterval(timer);
      clearImmediate(slice);
    },
  };
}

/**
 * Returns the number of removed rows; zero if the file is locked, full or missing: the next sweep
 * follows.
 */
function removeExpired(statements: () => SQLiteStatements, before: number): number {
  try {
    const { sweep, sweepMembers } = statements();
    return Number(sweep.run(before).changes) + Number(sweepMembers.run(before).changes);
  } catch {
    return 0;
  }
}
