import { pauses } from "../time/pauses.ts";
import type { StoredSession } from "../session/session.ts";
import type { Refresh, SharedOutcome } from "./refresh.ts";

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
