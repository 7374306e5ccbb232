import { useSurroundings } from "./sign-in-context.ts";
import type { Claims, Times } from "../client/session-state.ts";
import { useNow } from "./use-now.ts";
import { useSignInAs } from "./use-sign-in.ts";

export interface SessionInHand {
  /** The ends of the session; `null` when nobody is signed in. */
  readonly times: Times | null;
  /** The server's clock in epoch seconds, for comparing with `times`. It ticks as `remaining` does. */
  readonly now: number;
  /**
   * Seconds until the session ends if nothing happens, by the server's clock, never below 0; `null` when there
   * is no end, or none is known. Ticks every 30 seconds, in the last minute every second.
   */
  readonly remaining: number | null;
  /** Keeps the session for another rolling duration, in every tab. `false`: the server was not reached. */
  readonly extend: () => Promise<boolean>;
  /** Signs out here and at the provider. The browser leaves the page. */
  readonly signOut: () => void;
}

/** The session's times, and what can be done with it. */
export function useSession(): SessionInHand {
  const { client } = useSurroundings("useSession");
  const state = useSignInAs<Claims>();
  const times = state.status === "signed-in" ? state.session : null;
  const endsAt = times?.endsAt ?? null;
  const now = useNow(client, endsAt && endsAt - 61);
  const { extend, signOut } = client;
  return { times, now, remaining: endsAt && Math.max(0, endsAt - now), extend, signOut };
}
