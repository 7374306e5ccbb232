import { useMemo, useSyncExternalStore } from "react";
import type { RegisteredClaims } from "../client/claims.ts";
import type { SessionActions } from "../client/session-client.ts";
import type { SessionState } from "../client/session-state.ts";
import { useSignInContext } from "./sign-in-context.ts";

/** The result of {@link useSession}: the state and the actions. */
export type UseSessionResult<C = RegisteredClaims> = SessionState<C> & SessionActions;

/**
 * Returns the live state of the session: `status` is `"loading"`, `"signed-in"` or `"signed-out"`,
 * and `user` is set if a user is signed in. Also returns `signIn`, `signOut`, `extend` and
 * `refetch`.
 *
 * `Register` or the type argument declares the claims of `user`.
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

/** Returns the state alone. An error about a missing provider names the caller. */
export function useSessionState<C>(caller?: string): SessionState<C> {
  const { client } = useSignInContext(caller);
  const state = useSyncExternalStore(
    client.subscribe,
    client.getSnapshot,
    client.getServerSnapshot,
  );
  // The only cast to the claims declared by the app.
  return state as SessionState<unknown> as SessionState<C>;
}
