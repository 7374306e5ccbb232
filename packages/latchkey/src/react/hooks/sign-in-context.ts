import { createContext, useContext, type Context } from "react";
import type { SessionClient } from "../client/session-client.ts";
import type { Words } from "../text/words.ts";

export interface SignInContextValue {
  readonly client: SessionClient;
  /** The texts that the app replaced. */
  readonly words: Partial<Words> | undefined;
}

export const SignInContext: Context<SignInContextValue | null> =
  createContext<SignInContextValue | null>(null);

/**
 * What the provider provides. The parts of a component need not name a caller: the component itself
 * has.
 *
 * @throws {Error} Outside of the provider, with the name of the caller and what to do.
 */
export function useSignInContext(caller = "", provider = "SignInProvider"): SignInContextValue {
  const value = useContext(SignInContext);
  if (value === null)
    throw new Error(
      `${caller} is used outside of <${provider}>. Wrap your app in it once, at the top.`,
    );
  return value;
}
