import { randomBytes } from "node:crypto";

import { type Config, readConfig } from "../../config/config.ts";
import { defaultID } from "../../config/constants.ts";
import { callbackPath } from "../../config/routes.ts";
import type { Settings } from "../../config/settings.ts";
import { ConfigError } from "../../errors/config-error.ts";
import { redirectURI } from "../../oidc/authorization-request.ts";
import { type Registration, registrationsOf } from "../../oidc/registrations.ts";
import { type Fetch, objectOf, textIn } from "../doctor/ask.ts";
import { askProvider } from "../doctor/provider/ask-provider.ts";
import { judgeAuthorization, namesClient, refusalIn } from "../doctor/provider/redirect-verdict.ts";

export type ClientSettings = Pick<Settings, "routes" | "pagesPrefix" | "clientAuthMethod"> & {
  readonly issuerBaseURL: string;
  readonly clientID: string;
  readonly clientSecret: string;
  /** The first one is the primary one. */
  readonly baseURLs: readonly string[];
};

/**
 * Returns the settings of an app with this client alone, at the redirect URI of a connection.
 *
 * @throws Error with one sentence if a value is not usable
 */
export function clientConfig(settings: ClientSettings, connection: string = defaultID): Config {
  const config = readClient(settings);
  const callback = callbackPath(config.routes, connection);
  return { ...config, routes: { ...config.routes, callback } };
}

/** What the provider must know for such a client, at every base URL. */
export function registrationOf(config: Config): Pick<Registration, "redirectURIs" | "afterLogout"> {
  const [registration] = registrationsOf(config);
  return registration ?? { redirectURIs: [], afterLogout: [] };
}

function readClient(settings: ClientSettings): Config {
  const { issuerBaseURL, clientID, clientSecret, baseURLs } = settings;
  const { routes, pagesPrefix, clientAuthMethod } = settings;
  // This secret seals nothing: no cookie is made here.
  const secret = randomBytes(32).toString("base64");
  try {
    return readConfig(
      {
        issuerBaseURL,
        clientID,
        clientSecret,
        baseURL: baseURLs,
        secret,
        routes,
        pagesPrefix,
        clientAuthMethod,
      },
      { hasStore: false },
    );
  } catch (error) {
    const [fault] = error instanceof ConfigError ? error.faults : [];
    if (fault === undefined) throw error;
    throw new Error(`${fault.variable || fault.option} ${fault.message}. ${fault.remedy}`, {
      cause: error,
    });
  }
}

/** What the provider refuses, and what only a sign-in can show. */
export async function testClient(config: Config, fetch: Fetch) {
  const { authorization, otherHosts, token, state, refusal } = await askProvider(
    config,
    { isProbe: true, relay: null },
    fetch,
  );
  if (refusal !== null) {
    return { faults: [`The metadata of the provider cannot be used: ${refusal}.`], notes: [] };
  }
  const [faults, notes]: [string[], string[]] = [[], []];
  const verdict =
    authorization === null
      ? "not-known"
      : judgeAuthorization(authorization, redirectURI(config), state);
  const others = otherHosts
    .filter((each) => judgeAuthorization(each.answer, each.redirectURI, state) === "refused")
    .map((each) => each.redirectURI);
  for (const address of [...(verdict === "refused" ? [redirectURI(config)] : []), ...others]) {
    faults.push(`The provider refuses ${address}: register exactly this address.`);
  }
  if (authorization !== null && namesClient(authorization)) {
    faults.push(`The provider does not know the client ${config.clientID}.`);
  } else if (verdict === "not-known") {
    notes.push("Only a sign-in can show whether the address is registered: start the app and try.");
  }
  const refused = authorization && refusalIn(authorization, redirectURI(config));
  if (verdict !== "refused" && refused !== null) {
    faults.push(`The provider refuses the request for a sign-in (${refused.text}).`);
  }
  const code = token === null ? "" : textIn(objectOf(token), "error");
  if (code === "invalid_client" || code === "unauthorized_client") {
    faults.push("The provider refuses the client: check client ID and client secret.");
  }
  return { faults, notes };
}
