import type { Config } from "../config/config.ts";
import { redirectURI } from "./authorization-request.ts";
import type { Connection } from "./connection.ts";

type Client = Pick<Connection, "callback" | "uses">;

/** The redirection endpoint of sign-ins (RFC 6749, section 3.1.2): their responses arrive there. */
export interface Redirection {
  uri(client: Client): string;
  /**
   * Returns the state of a request (RFC 6749, section 4.1.1).
   *
   * @param random - 256 bits, base64url; the state begins with it
   */
  stateOf(random: string, client: Client): string;
}

/** The endpoint of a site that its provider knows. */
export function ownRedirection(site: Pick<Config, "baseURL" | "routes">): Redirection {
  return { uri: (client) => redirectURI(site, client), stateOf: (random) => random };
}
