import { createContext, useContext, type Context } from "react";
import type { SessionClient } from "../client/session-client.ts";
import type { Words } from "../text/words.ts";

export interface SignInSurroundings {
  readonly client: SessionClient;
  /** The words that the app replaced. */
  readonly words: Partial<Words> | undefined;
}

export const Surroundings: Context<SignInSurroundings | null> =
  createContext<SignInSurroundings | null>(null);

/**
 * What the provider provides. Parts of a component need not say who asks: the component has.
 *
 * @throws {Error} Outside of the provider, naming who asks and what to do.
 */
export function useSurroundings(caller = "", wrap = "SignInProvider"): SignInSurroundings {
  const found = useContext(Surroundings);
  if (found === null)
    throw new Error(
      `${caller} is used outside of <${wrap}>. Wrap your app once, at the top: <${wrap}><App /></${wrap}>`,
    );
  return found;
}
