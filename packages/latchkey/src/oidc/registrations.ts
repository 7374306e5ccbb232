import { type Config, configAt } from "../config/config.ts";
import { defaultID } from "../config/constants.ts";
import { pathOf } from "../config/routes.ts";
import { ownRedirection, type Redirection } from "./redirection.ts";
import { absolute, landingURL } from "../config/addresses.ts";

/** The addresses of the app which a provider must know for one client. */
export interface Registration {
  /** Of the connection with the client. */
  readonly id: string;
  readonly issuer: string;
  readonly clientID: string;
  /** One for each base URL. */
  readonly redirectURIs: readonly string[];
  /** The pages after logout, one for each base URL. */
  readonly afterLogout: readonly string[];
  /** For logout tokens; `null` if the app takes none. */
  readonly backchannelLogout: string | null;
  /** For the hidden frame of a sign-out page; `null` if the app takes none. */
  readonly frontchannelLogout: string | null;
}

/**
 * Returns what to register for each client, the flat settings first.
 *
 * @param redirectionOf - the redirection endpoint of a site; by default its own
 */
export function registrationsOf(
  config: Config,
  redirectionOf: (site: Config) => Redirection = ownRedirection,
): readonly Registration[] {
  const sites = config.baseURLs.map((baseURL) => configAt(config, baseURL));
  const { routes } = config;
  const clients = Object.values(config.connections).filter(({ id, uses }) => uses === id);
  return clients.map((client) => {
    const { id, issuerBaseURL, clientID } = client;
    const at = (path: string) => absolute(config, pathOf(path, id));
    return {
      id,
      issuer: issuerBaseURL,
      clientID,
      redirectURIs: [...new Set(sites.map((site) => redirectionOf(site).uri(client)))],
      afterLogout: [...new Set(sites.map(landingURL))],
      backchannelLogout: client.backchannelLogout ? at(routes.backchannelLogout) : null,
      frontchannelLogout: client.frontchannelLogout ? at(routes.frontchannelLogout) : null,
    };
  });
}

/** Returns the same in a sentence. */
export function describeRegistration({ id, issuer, ...addresses }: Registration): string {
  const { redirectURIs, afterLogout, backchannelLogout, frontchannelLogout } = addresses;
  const lists = [
    [redirectURIs, redirectURIs.length > 1 ? "redirect URIs" : "redirect URI"],
    [afterLogout, "after logout"],
    [backchannelLogout === null ? [] : [backchannelLogout], "logout tokens"],
    [frontchannelLogout === null ? [] : [frontchannelLogout], "front-channel logout"],
  ] as const;
  const parts = lists
    .filter(([urls]) => urls.length > 0)
    .map(([urls, purpose]) => `${urls.join(" ")} (${purpose})`);
  const provider = id === defaultID ? "the provider" : `the provider of ${id}, ${issuer}`;
  return `Register at ${provider}: ${joinWithAnd(parts)}.`;
}

function joinWithAnd(parts: readonly string[]): string {
  return [parts.slice(0, -1).join(", "), ...parts.slice(-1)]
    .filter((part) => part !== "")
    .join(" and ");
}
