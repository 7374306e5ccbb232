import type { JSONWebKeySet } from "jose";
import type { Certificate } from "../http/certificate.ts";
import type { User } from "./users/sample-users.ts";

/** How a client authenticates at the token endpoint (OpenID Connect Core 9). */
export type ClientAuthMethod =
  | "client_secret_basic"
  | "client_secret_post"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "none";

/** Algorithms for the signature of ID tokens. */
export type SigningAlgorithm = "RS256" | "PS256" | "ES256" | "EdDSA" | "HS256";

export type ResponseType = "code" | "code id_token" | "id_token";

/** An application with a registration at the provider. */
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
  /** The endpoint for logout tokens with `sid` (OpenID Connect Back-Channel Logout 1.0). */
  readonly backchannelLogoutURI?: string;
  /**
   * What the page after a sign-out loads in a hidden frame, with `iss` and `sid` (OpenID Connect
   * Front-Channel Logout 1.0). Default: none, and a sign-out shows no page.
   */
  readonly frontchannelLogoutURI?: string;
  /** The address at which a sign-in from the provider begins (OpenID Connect Core 4). */
  readonly initiateLoginURI?: string;
  /** Default `client_secret_basic`. */
  readonly authMethod?: ClientAuthMethod;
  /** Default: all three. */
  readonly responseTypes?: readonly ResponseType[];
  /** Default `RS256`. */
  readonly idTokenSigningAlg?: SigningAlgorithm;
  /** The algorithm of signed userinfo responses. Default: userinfo is plain JSON. */
  readonly userinfoSigningAlg?: SigningAlgorithm;
  /** Public keys for `private_key_jwt`. */
  readonly jwks?: JSONWebKeySet;
  /** Issue refresh tokens, also without the scope `offline_access`. Default true. */
  readonly refreshTokens?: boolean;
  /** Rejects authorization requests without a push (RFC 9126). Default false. */
  readonly requirePushedRequests?: boolean;
  /** Rejects token requests without a DPoP proof (RFC 9449, section 5.2). Default false. */
  readonly requireDPoP?: boolean;
  /**
   * Allows token exchange (RFC 8693), and its form at Entra ID: a JWT assertion with
   * `requested_token_use=on_behalf_of`. A client exchanges its own access tokens, and those that
   * were issued for an API with this client as `exchangedBy`. Default false.
   */
  readonly tokenExchange?: boolean;
}

/** An API that access tokens are issued for (RFC 8707). */
export interface ResourceSettings {
  /** What clients send as `resource`: an absolute URI. A final slash makes no difference. */
  readonly identifier: string;
  /** The `aud` of its access tokens. Default: the identifier. */
  readonly audience?: string;
  /** The scopes that belong to this API. */
  readonly scopes: readonly string[];
  /** A JWT (RFC 9068), or an opaque token for introspection. Default `jwt`. */
  readonly tokenFormat?: "jwt" | "opaque";
  /** The signature of a JWT. Default `RS256`. */
  readonly signingAlg?: Exclude<SigningAlgorithm, "HS256">;
  /** The client as which this API exchanges the tokens of its callers. Default: none. */
  readonly exchangedBy?: string;
}

/** Lifetimes of tokens and sessions, in seconds. */
export interface Lifetimes {
  /** Looked at for each token, so it may change. Default 3600. */
  readonly accessToken?: number;
  /** Default 3600. */
  readonly idToken?: number;
  /** Default 14 days. */
  readonly refreshToken?: number;
  /** Of the session at the provider. Default 14 days. */
  readonly session?: number;
}

/** Settings of `startProvider`; each has a default. */
export interface ProviderSettings {
  /** Port on localhost; 0, the default, takes any free one. */
  readonly port?: number;
  /**
   * Serve https, with a new certificate for localhost or with this one: see `caCertificate`.
   * Default false.
   */
  readonly https?: boolean | Certificate;
  /** The application of the default client, or all its base URLs. Default http://localhost:3000. */
  readonly appURL?: string | readonly string[];
  /** Path of the routes of its sign-in. Default `/api/auth`. */
  readonly routesPrefix?: string;
  /** ID of the default client. Default `latchkey`. */
  readonly clientID?: string;
  /** Name of the default client. Default: host and port of `appURL`. */
  readonly appName?: string;
  /** Secret of the default client. Default: a fixed, public one. */
  readonly clientSecret?: string;
  /** Redirect URI of the default client. Default `<appURL><routesPrefix>/callback`. */
  readonly redirectURI?: string;
  /** Further settings of the default client. */
  readonly client?: Partial<ClientSettings>;
  /** Further clients. With `clients` and without `appURL` there is no default client. */
  readonly clients?: readonly ClientSettings[];
  /** The users on the sign-in page. Default: `sampleUsers`. */
  readonly users?: readonly User[];
  /**
   * The place of the claims of the scopes profile and email: in the ID token and userinfo, or in
   * userinfo only, as OpenID Connect Core 5.4 describes for the code flow. Default `id-token`.
   */
  readonly claimsIn?: "id-token" | "userinfo";
  /**
   * Each refresh token is good for one use. A second use revokes every token of its sign-in, as RFC
   * 9700, section 4.14.2 describes. With `false` a refresh returns the same refresh token. Default
   * true.
   */
  readonly refreshTokenRotation?: boolean;
  /** The APIs that clients may request tokens for. Default: none, every `resource` is refused. */
  readonly resources?: readonly ResourceSettings[];
  /** Clients with a secret or a key may introspect access tokens (RFC 7662). Default false. */
  readonly introspection?: boolean;
  /** Any client may register itself (RFC 7591), with PKCE if it has no secret. Default false. */
  readonly registration?: boolean;
  /**
   * A client ID may be the https address of a document with the metadata of the client (OAuth
   * Client ID Metadata Document, draft 02). This provider fetches any address, also on this
   * machine. Default false.
   */
  readonly clientIDMetadataDocuments?: boolean;
  /** Requires a nonce of this provider in DPoP proofs (RFC 9449, section 8). Default false. */
  readonly dpopNonce?: boolean;
  /** Folder to keep keys, sessions and tokens over a restart. Default: memory. */
  readonly dataFolder?: string;
  readonly lifetimes?: Lifetimes;
  /** Called with each error of the provider itself. Default: errors are ignored. */
  readonly onFault?: (error: Error) => void;
}

export const defaultAppURL = "http://localhost:3000";
export const defaultClientID = "latchkey";
export const defaultClientSecret = "local-trial-secret-that-everyone-may-know";
