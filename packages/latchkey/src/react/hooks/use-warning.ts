import { useSurroundings } from "./sign-in-context.ts";
import { lookAhead, warningAt, type Warning } from "../client/session-times.ts";
import { useNow } from "./use-now.ts";
import { useSignInAs } from "./use-sign-in.ts";

export interface WarningInHand {
  /** The warning to show now. The server has confirmed it: the session was not extended elsewhere. */
  readonly warning: Warning | null;
  /** Seconds to the end it warns of; 0 or less when the end has come and nobody has confirmed it yet. */
  readonly left: number;
}

/** Seconds before the end of a session from which on the time is looked at closely. */
const closeFrom = 700;

export function useWarning(): WarningInHand {
  const { client } = useSurroundings();
  const state = useSignInAs();
  const session = state.status === "signed-in" ? state.session : null;
  const now = useNow(client, session?.endsAt == null ? null : session.endsAt - closeFrom);
  const due = session && warningAt(session, now);
  const confirmed = due && client.heardAt() > due.from - lookAhead - 2;
  return { warning: confirmed ? due : null, left: due ? due.endsAt - now : Infinity };
}
