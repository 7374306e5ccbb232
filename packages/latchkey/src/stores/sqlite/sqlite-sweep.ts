import type { SQLiteStatements } from "./sqlite-statements.ts";

const everyMs = 30_000;
const everyWrites = 256;

/**
 * Removes what has expired, in small slices between the requests.
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
    if (removed(statements, nowSeconds()) > 0) begin();
  }

  return {
    /** Begins a sweep when so much was written that one is worth it. */
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

/** How many were removed; none where the file is locked, full or gone: the next sweep comes. */
function removed(statements: () => SQLiteStatements, now: number): number {
  try {
    const { sweep, sweepMembers } = statements();
    return Number(sweep.run(now).changes) + Number(sweepMembers.run(now).changes);
  } catch {
    return 0;
  }
}
