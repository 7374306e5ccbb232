import type { JSONWebKeySet } from "jose";

export type HostileAuthMethod =
  | "client_secret_basic"
  | "client_secret_post"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "none";

export type HostileAlgorithm = `${"RS" | "PS" | "HS"}${"256" | "384" | "512"}` | "ES256" | "EdDSA";

/** The only client of the hostile provider. */
export interface HostileClient {
  /** Default `hostile-client`. */
  readonly id: string;
  /** Default: a fixed text of 46 characters, some of which must be form-encoded. */
  readonly secret: string;
  /** The only accepted client authentication method. Default `client_secret_basic`. */
  readonly authMethod: HostileAuthMethod;
  /** Default `RS256`. A behavior may name another. */
  readonly idTokenSigningAlg: HostileAlgorithm;
  /** Public keys for `private_key_jwt`. */
  readonly jwks?: JSONWebKeySet;
  /** Default: any address. */
  readonly redirectURIs?: readonly string[];
  /** Default: any address. */
  readonly postLogoutRedirectURIs?: readonly string[];
}

export const defaultHostileClient: HostileClient = {
  id: "hostile-client",
  secret: "a secret with + / : % = and 46 characters, so",
  authMethod: "client_secret_basic",
  idTokenSigningAlg: "RS256",
};
