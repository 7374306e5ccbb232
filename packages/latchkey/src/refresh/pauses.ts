import type { Context } from "../context.ts";
import type { StoredSession } from "../session/session.ts";
import type { Refresh, SharedOutcome } from "./refresh.ts";

const firstMs = 20;
const longestMs = 400;
const togetherMs = 6000;

/**
 * Waits between looks at a refresh of another request, in milliseconds: growing, with jitter, 6 s
 * in total.
 */
export function* pauses({
  timing,
  fraction,
}: Pick<Context, "timing" | "fraction">): Generator<number> {
  const until = timing.monotonic() + togetherMs;
  let pauseMs = firstMs;
  for (let left = togetherMs; left > 0; left = until - timing.monotonic()) {
    yield Math.min(left, pauseMs * (0.5 + fraction()));
    pauseMs = Math.min(pauseMs * 2, longestMs);
  }
}

/** Tries until an attempt returns a session, with a pause after each; `null` after six seconds. */
export async function tryWithPauses(
  { context }: Refresh,
  attempt: (outcome: SharedOutcome) => Promise<StoredSession | null>,
): Promise<StoredSession | null> {
  let outcome: SharedOutcome = "shared";
  for (const pauseMs of pauses(context)) {
    // oxlint-disable-next-line no-await-in-loop -- each attempt comes after a pause
    const refreshed = await attempt(outcome);
    if (refreshed !== null) return refreshed;
    // oxlint-disable-next-line no-await-in-loop -- see above
    await context.timing.wait(pauseMs);
    outcome = "waited";
  }
  return null;
}
