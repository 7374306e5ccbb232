import { createContext, useContext, type Context } from "react";
import type { SessionClient } from "../client/session-client.ts";
import type { Words } from "../text/words.ts";

export interface SignInContextValue {
  readonly client: SessionClient;
  /** The texts replaced by the app. */
  readonly words: Partial<Words> | undefined;
}

export const SignInContext: Context<SignInContextValue | null> =
  createContext<SignInContextValue | null>(null);

/**
 * Returns the value of the provider. Parts of a component pass no `caller`: the component itself
 * has.
 *
 * @throws {Error} Outside of the provider, with the name of the caller and the remedy.
 */
export function useSignInContext(caller = ""): SignInContextValue {
  const value = useContext(SignInContext);
  if (value === null)
    throw new Error(
      `${caller} is used outside of <SignInProvider>. Wrap your app in it once, at the top.`,
    );
  return value;
}
