import type { JSONWebKeySet } from "jose";
import type { Behaviour } from "./behaviour.ts";
import type { BehaviourName } from "./behaviours/index.ts";

export type HostileAuthMethod =
  | "client_secret_basic"
  | "client_secret_post"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "none";

export type HostileAlgorithm = `${"RS" | "PS" | "HS"}${"256" | "384" | "512"}` | "ES256" | "EdDSA";

/** The one client that the hostile provider knows. */
export interface HostileClient {
  /** Default `hostile-client`. */
  readonly id: string;
  /** Default a fixed text of 46 characters, some of them reserved in forms. */
  readonly secret: string;
  /** The only way of client authentication that is taken. Default `client_secret_basic`. */
  readonly authMethod: HostileAuthMethod;
  /** Default `RS256`. A behaviour may name another. */
  readonly idTokenSigningAlg: HostileAlgorithm;
  /** Public keys for `private_key_jwt`. */
  readonly jwks?: JSONWebKeySet;
  /** Default: any address. */
  readonly redirectURIs?: readonly string[];
  /** Default: any address. */
  readonly postLogoutRedirectURIs?: readonly string[];
}

/** What `startHostileProvider` is given; every setting has a default. */
export interface HostileSettings {
  /** How it behaves at first. Default: well. */
  readonly behaviour?: BehaviourName | Behaviour;
  /** Port on localhost; 0, the default, takes any free one. */
  readonly port?: number;
  /** Path of the issuer, kept as it is: `/realms/one`, `/tenant/`. Default none. */
  readonly issuerPath?: string;
  readonly client?: Partial<HostileClient>;
  /** Claims of the person that signs in. */
  readonly person?: Readonly<Record<string, unknown>>;
  /** Where the person's claims are found. Default `id-token` (and userinfo). */
  readonly claimsIn?: "id-token" | "userinfo";
  /** Listen with https: key and certificate in PEM. Default: http. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** The provider's clock, milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
}

export const defaultHostileClient: HostileClient = {
  id: "hostile-client",
  secret: "a secret with + / : % = and 46 characters, so",
  authMethod: "client_secret_basic",
  idTokenSigningAlg: "RS256",
};

export const defaultHostilePerson: Readonly<Record<string, unknown>> = {
  sub: "person-of-the-hostile-provider",
  name: "Hedwig Falk",
  given_name: "Hedwig",
  family_name: "Falk",
  email: "hedwig@example.com",
  email_verified: true,
};
