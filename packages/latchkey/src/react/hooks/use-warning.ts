import type { Claims } from "../client/claims.ts";
import { confirmAheadSeconds, warningAt, type Warning } from "../client/session-times.ts";
import { useSignInContext } from "./sign-in-context.ts";
import { useNow } from "./use-now.ts";
import { useSessionState } from "./use-session.ts";

export interface UseWarningResult {
  /** The warning to show now, confirmed by the server: the session was not extended elsewhere. */
  readonly warning: Warning | null;
  /** Seconds to the end; 0 or less if the server has not confirmed the end yet. */
  readonly left: number;
}

/** From so many seconds before the end, the time is compared every second. */
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
