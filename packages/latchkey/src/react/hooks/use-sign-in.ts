import { useSyncExternalStore } from "react";
import { useSurroundings } from "./sign-in-context.ts";
import type { RegisteredClaims, SignIn } from "../client/register.ts";
import type { SignInOf } from "../client/session-state.ts";

/**
 * Who is here, live. Check `status` first, then `user` is there.
 *
 * Claims are typed by your declaration of `Register`, or by the type argument.
 */
export function useSignIn<C = RegisteredClaims>(): SignIn<C> {
  return useSignInAs<C>("useSignIn");
}

/** The same for our own components, so that a missing provider is told under their name. */
export function useSignInAs<C>(caller?: string): SignInOf<C> {
  const { client } = useSurroundings(caller);
  const state = useSyncExternalStore(
    client.subscribe,
    client.getSnapshot,
    client.getServerSnapshot,
  );
  // The one place where the app's word is taken for the form of its claims.
  return state as SignInOf<unknown> as SignInOf<C>;
}
