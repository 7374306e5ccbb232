import { longTests } from "../long-tests.ts";

/** Number of cases tried by a property. The seed is fixed, so a failure occurs on every machine. */
export const runs = { numRuns: longTests ? 10_000 : 300, seed: 20_261_120 };

/** Milliseconds. A machine with other work needs more time. */
export const patience = 240_000;
