import type { JSONWebKeySet } from "jose";
import type { Person } from "./people/sample-people.ts";

/** How a client proves itself at the token endpoint (OpenID Connect Core 9). */
export type ClientAuthMethod =
  | "client_secret_basic"
  | "client_secret_post"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "none";

/** Algorithms that the local provider signs ID tokens with. */
export type SigningAlgorithm = "RS256" | "PS256" | "ES256" | "EdDSA" | "HS256";

export type ResponseType = "code" | "code id_token" | "id_token";

/** An application that may sign people in here. */
export interface ClientSettings {
  readonly id: string;
  /** At least 32 bytes when ID tokens are signed with HS256. */
  readonly secret?: string;
  /** The name of the application on the provider's pages. Default: the id. */
  readonly name?: string;
  /**
   * The home page of the application, which the provider's pages link to (`client_uri` of
   * Dynamic Client Registration 1.0, section 2). Default: the origin of the first redirect URI.
   */
  readonly clientURI?: string;
  readonly redirectURIs: readonly string[];
  readonly postLogoutRedirectURIs?: readonly string[];
  /** Where logout tokens are sent, with `sid` (OpenID Connect Back-Channel Logout 1.0). */
  readonly backchannelLogoutURI?: string;
  /** Where a sign-in that starts at the provider begins (OpenID Connect Core 4). */
  readonly initiateLoginURI?: string;
  /** Default `client_secret_basic`. */
  readonly authMethod?: ClientAuthMethod;
  /** Default: all three. */
  readonly responseTypes?: readonly ResponseType[];
  /** Default `RS256`. */
  readonly idTokenSigningAlg?: SigningAlgorithm;
  /** When set, userinfo answers are signed JWTs. Default: plain JSON. */
  readonly userinfoSigningAlg?: SigningAlgorithm;
  /** Public keys for `private_key_jwt`. */
  readonly jwks?: JSONWebKeySet;
  /** Default true: a code brings a refresh token, without asking for `offline_access`. */
  readonly refreshTokens?: boolean;
  /** Refuse authorization requests that were not pushed (RFC 9126). Default false. */
  readonly requirePushedRequests?: boolean;
}

/** How long what the provider issues lives, in seconds. */
export interface Lifetimes {
  /** Default 3600. */
  readonly accessToken?: number;
  /** Default 3600. */
  readonly idToken?: number;
  /** Default 14 days. */
  readonly refreshToken?: number;
  /** The provider's own session. Default 14 days. */
  readonly session?: number;
}

/** What `startProvider` is given; every setting has a default. */
export interface ProviderSettings {
  /** Port on localhost; 0, the default, takes any free one. */
  readonly port?: number;
  /** Speak https with a new certificate for localhost: see `caCertificate`. Default false: http. */
  readonly https?: boolean;
  /** The application of the default client. Default http://localhost:3000. */
  readonly appURL?: string;
  /** Id of the default client. Default `latchkey`. */
  readonly clientID?: string;
  /** Name of the default client. Default: host and port of `appURL`. */
  readonly appName?: string;
  /** Secret of the default client. A public one by default: this provider guards nothing. */
  readonly clientSecret?: string;
  /** Where the default client's sign-in returns to. Default `<appURL>/api/auth/callback`. */
  readonly redirectURI?: string;
  /** Further settings of the default client. */
  readonly client?: Partial<ClientSettings>;
  /** More clients. With these and without `appURL` there is no default client. */
  readonly clients?: readonly ClientSettings[];
  /** Who can sign in. Default: `samplePeople`. */
  readonly people?: readonly Person[];
  /**
   * Where the claims of the scopes profile and email are found: in the ID token (and userinfo), or,
   * as OpenID Connect Core 5.4 has it for the code flow, in userinfo only. Default `id-token`.
   */
  readonly claimsIn?: "id-token" | "userinfo";
  /**
   * Each refresh token is good for one use; a second use revokes every token of its sign-in, as
   * RFC 9700, section 4.14.2 describes. With `false` a refresh returns the token that it was given.
   * Default true.
   */
  readonly refreshTokenRotation?: boolean;
  /** Folder for keys, sessions and tokens, so that a restart loses nothing. Default: memory. */
  readonly dataFolder?: string;
  readonly lifetimes?: Lifetimes;
  /** Told about faults of the provider itself. Default: nothing is written anywhere. */
  readonly onFault?: (error: Error) => void;
}

export const defaultAppURL = "http://localhost:3000";
export const defaultClientID = "latchkey";
export const defaultClientSecret = "local-trial-secret-that-everyone-may-know";
