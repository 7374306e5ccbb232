import { useMemo, useSyncExternalStore } from "react";
import type { RegisteredClaims } from "../client/claims.ts";
import type { SessionActions } from "../client/session-client.ts";
import type { SessionState } from "../client/session-state.ts";
import { useSignInContext } from "./sign-in-context.ts";

/** What {@link useSession} returns: the state, and what can be done. */
export type UseSessionResult<C = RegisteredClaims> = SessionState<C> & SessionActions;

/**
 * The state of the session, live: `status` is `"loading"`, `"signed-in"` or `"signed-out"`, and
 * `user` is there when somebody is signed in. With it come `signIn`, `signOut`, `extend` and
 * `refetch`.
 *
 * The claims of `user` are typed by your declaration of `Register`, or by the type argument.
 *
 * @throws {Error} Outside of `SignInProvider`.
 */
export function useSession<C = RegisteredClaims>(): UseSessionResult<C> {
  const state = useSessionState<C>("useSession");
  const { client } = useSignInContext();
  return useMemo(() => {
    const { signIn, signOut, extend, refetch } = client;
    return { ...state, signIn, signOut, extend, refetch };
  }, [state, client]);
}

/** The state alone, for our own components: an error about a missing provider names the caller. */
export function useSessionState<C>(caller?: string): SessionState<C> {
  const { client } = useSignInContext(caller);
  const state = useSyncExternalStore(
    client.subscribe,
    client.getSnapshot,
    client.getServerSnapshot,
  );
  // The one place where the form of the claims is taken as the app declares it.
  return state as SessionState<unknown> as SessionState<C>;
}
