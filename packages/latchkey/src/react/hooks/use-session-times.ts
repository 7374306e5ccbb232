import type { Claims } from "../client/claims.ts";
import type { SessionTimes } from "../client/session-state.ts";
import { useSignInContext } from "./sign-in-context.ts";
import { useNow } from "./use-now.ts";
import { useSessionState } from "./use-session.ts";

/** What {@link useSessionTimes} returns. */
export interface UseSessionTimesResult {
  /** The ends and durations of the session; `null` when nobody is signed in. */
  readonly times: SessionTimes | null;
  /**
   * The server's clock in epoch seconds, for comparing with `times`. It ticks as `remaining` does.
   */
  readonly now: number;
  /**
   * Seconds until the session ends if the app is not used any more, never below 0; `null` when
   * there is no end, or none is known. Ticks every 30 seconds, and every second in the last minute.
   */
  readonly remaining: number | null;
}

/**
 * Until when the session lasts, live and by the server's clock. Reading it does not extend the
 * session.
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
