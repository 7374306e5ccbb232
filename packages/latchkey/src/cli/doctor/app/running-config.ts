import { type Config, readConfig } from "../../../config/config.ts";
import { ConfigError } from "../../../errors/config-error.ts";
import { type Fetch, isResponse, locationOf } from "../ask.ts";
import { askRoute, page } from "./ask-app.ts";

/**
 * Returns the settings of an app that has them in code, as far as its login shows them. The issuer
 * stays unknown: an example stands in its place.
 *
 * @param options - what is known of them
 * @returns `null` if the app leads to no provider
 */
export async function readRunningConfig(
  options: object,
  address: string,
  fetch: Fetch,
): Promise<Config | null> {
  const draft = configOf({ ...options, baseURL: address });
  if (draft === null) return null;
  const { routes, baseURL } = draft;
  const { answer } = await askRoute(fetch, baseURL + routes.login, page);
  const parameters = isResponse(answer) ? locationOf(answer)?.searchParams : undefined;
  const clientID = parameters?.get("client_id");
  if (clientID === null || clientID === undefined) return null;
  // A pushed request keeps the redirect address to itself.
  const callback = parameters?.get("redirect_uri") ?? baseURL + routes.callback;
  return configOf({ ...options, baseURL: callback.replace(routes.callback, ""), clientID });
}

function configOf(options: object): Config | null {
  const standIns = {
    secret: "in-the-code-of-the-app-and-not-read-here",
    issuerBaseURL: "https://id.example",
    clientID: "app",
    clientSecret: "also-in-the-code-of-the-app",
  };
  try {
    return readConfig({ ...standIns, ...options }, { hasStore: true });
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}
