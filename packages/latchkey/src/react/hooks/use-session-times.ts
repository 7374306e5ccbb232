import type { Claims } from "../client/claims.ts";
import type { SessionTimes } from "../client/session-state.ts";
import { useSignInContext } from "./sign-in-context.ts";
import { useNow } from "./use-now.ts";
import { useSessionState } from "./use-session.ts";

/** What {@link useSessionTimes} returns. */
export interface UseSessionTimesResult {
  /** The ends and durations of the session; `null` if no user is signed in. */
  readonly times: SessionTimes | null;
  /** The server's clock in epoch seconds, to compare with `times`. It ticks as `remaining` does. */
  readonly now: number;
  /**
   * Seconds until the session ends without further use, never below 0; `null` if no end is known.
   * Ticks every 30 seconds, and every second in the last minute.
   */
  readonly remaining: number | null;
}

/**
 * Returns the end of the session, live and by the server's clock. This does not extend the session.
 *
 * @throws {Error} Outside of `SignInProvider`.
 */
export function useSessionTimes(): UseSessionTimesResult {
  const { client } = useSignInContext("useSessionTimes");
  const state = useSessionState<Claims>();
  const times = state.status === "signed-in" ? state.times : null;
  const endsAt = times?.endsAt ?? null;
  const now = useNow(client, endsAt && endsAt - 61);
  return { times, now, remaining: endsAt && Math.max(0, endsAt - now) };
}
