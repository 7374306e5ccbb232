/** How often a property is tried, and always with the same values: a failure in one place is one everywhere. */
export const runs = { numRuns: 10_000, seed: 20_261_120 };

/** Milliseconds; a machine that does other work besides takes its time. */
export const patience = 240_000;
