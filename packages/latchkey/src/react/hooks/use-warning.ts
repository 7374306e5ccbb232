import type { Claims } from "../client/claims.ts";
import { confirmAheadSeconds, warningAt, type Warning } from "../client/session-times.ts";
import { useSignInContext } from "./sign-in-context.ts";
import { useNow } from "./use-now.ts";
import { useSessionState } from "./use-session.ts";

export interface UseWarningResult {
  /**
   * The warning to show now. The server has confirmed it: the session was not extended elsewhere.
   */
  readonly warning: Warning | null;
  /**
   * Seconds to the end it warns of; 0 or less when the end has come and the server has not
   * confirmed it yet.
   */
  readonly left: number;
}

/** From so many seconds before the end of a session on, the time is compared every second. */
const tickFromSeconds = 700;

export function useWarning(): UseWarningResult {
  const { client } = useSignInContext();
  const state = useSessionState<Claims>();
  const times = state.status === "signed-in" ? state.times : null;
  const now = useNow(client, times?.endsAt == null ? null : times.endsAt - tickFromSeconds);
  const due = times && warningAt(times, now);
  const confirmed = due && client.lastResponseAt() > due.from - confirmAheadSeconds - 2;
  return { warning: confirmed ? due : null, left: due ? due.endsAt - now : Infinity };
}
