import type { Config } from "../../../config/config.ts";
import { isSealedState } from "../../../relay/relayed-state.ts";
import { ask, type Answer, type Fetch, isResponse, locationOf } from "../ask.ts";
import { askLogin, loginOf } from "./ask-app.ts";

/** The relay by which the responses for an app return. */
export interface AskedRelay {
  /** The redirect URI that the provider has to know. */
  readonly redirectURI: string;
  /** What it answers to a response for this app, which signs no user in. */
  readonly answer: Answer;
}

/**
 * Returns the relay that the running app names in a login; `null` if it names its own redirect URI,
 * or none that can be seen.
 *
 * @param id - of the connection
 */
export async function askRelay(
  config: Config,
  { id, address }: { readonly id: string; readonly address: string },
  fetch: Fetch,
): Promise<AskedRelay | null> {
  const place = new URL(address).origin + config.basePath + loginOf(config, id);
  const login = await askLogin(config, place, fetch);
  const sent = isResponse(login) ? locationOf(login)?.searchParams : undefined;
  const redirectURI = sent?.get("redirect_uri") ?? "";
  const state = sent?.get("state") ?? "";
  if (!isSealedState(state) || !URL.canParse(redirectURI)) return null;
  const response = new URL(redirectURI);
  response.searchParams.set("error", "login_required");
  response.searchParams.set("state", state);
  return { redirectURI, answer: await ask(fetch, response.href) };
}
