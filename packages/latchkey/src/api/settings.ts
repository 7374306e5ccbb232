import type { AsymmetricAlgorithm } from "../config/signing-algorithms.ts";
import type { ProfileName } from "./profiles.ts";

/** Which access tokens an API accepts. */
export interface ApiOptions extends TokenOptions {
  /**
   * The API's own identifiers, one of which a token must name in `aud`: its address, or the GUID of
   * the API's registration with Entra ID. Several serve a move from one to another.
   */
  readonly audience: string | readonly string[];
  /**
   * Paths of the API beside `/api`, with everything below them: no request for them is led to
   * login, and one without credentials gets a `Bearer` challenge. Tokens count at every path.
   */
  readonly paths?: readonly string[];
  /**
   * Whether users sign in here, too. With `false` every path is one of the API, there are no routes
   * of sign-in, and the app needs neither a client secret nor a secret for cookies.
   *
   * @default true
   */
  readonly sessions?: boolean;
  /**
   * Origins whose scripts may call the API: they pass the preflight, and may read the responses to
   * their tokens, ours included.
   */
  readonly origins?: readonly string[];
  /**
   * Preflights for guarded paths of the API. `answer`, the default: Latchkey answers them with 204,
   * and permits what `origins` allow. `pass`: they reach the app without a guard, for CORS headers
   * which it adds after sign-in. Any client can send one, so no handler of the app may do anything
   * else for `OPTIONS`.
   */
  readonly preflights?: "answer" | "pass";
  /** Further issuers of access tokens, beside `issuerBaseURL`. */
  readonly issuers?: readonly IssuerOptions[];
  /**
   * Asks the provider about tokens (RFC 7662), with the client of the sign-in or one of the API's
   * own. Off by default: then every token must be a JWT.
   */
  readonly introspection?: boolean | IntrospectionOptions;
  /**
   * Tokens bound to a key of the client (RFC 9449). On by default: a bound token counts with its
   * proof only. `false` refuses all bound tokens.
   */
  readonly dpop?: boolean | DPoPOptions;
}

export interface IntrospectionOptions {
  /** By default the `introspection_endpoint` of the provider's metadata. */
  readonly endpoint?: string;
  /** The client that asks, if it is another one than that of the sign-in; with its secret. */
  readonly clientID?: string;
  readonly clientSecret?: string;
  /** `opaque`: tokens of three parts are checked as JWTs, and never asked about. */
  readonly tokens?: "all" | "opaque";
  /** How long an answer counts, in seconds; 30 by default, and at most. */
  readonly cacheSeconds?: number;
  /** Demands signed answers (RFC 9701). */
  readonly jwt?: boolean;
}

export interface DPoPOptions {
  /** Refuses tokens that are not bound to a key. */
  readonly isRequired?: boolean;
  /** Demands a nonce of this API in every proof (RFC 9449, section 9). */
  readonly nonce?: boolean;
}

/** How the tokens of one issuer are made. */
export interface TokenOptions {
  /** What the tokens look like: strictly as in RFC 9068, or as a provider makes them. */
  readonly profile?: ProfileName;
  /** Accepted algorithms; by default the one of ID tokens (`idTokenSigningAlg`). */
  readonly algorithms?: readonly AsymmetricAlgorithm[];
  /** Only for the profile `cognito`: the clients whose tokens without `aud` count. */
  readonly clientIDs?: readonly string[];
}

export interface IssuerOptions extends TokenOptions {
  /** As the tokens name it in `iss`, character by character. */
  readonly issuer: string;
  /** By default that of the API. */
  readonly audience?: string | readonly string[];
}
