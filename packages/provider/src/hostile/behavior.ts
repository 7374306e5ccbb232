import type { JWK } from "jose";
import type { Fault } from "./faults.ts";
import type { KeyRing, Signer } from "./key-ring.ts";
import type { HostileAlgorithm, HostileAuthMethod, HostileClient } from "./client.ts";

/** Members of a JSON object: claims, a header, metadata, a token response. */
export type Members = Readonly<Record<string, unknown>>;

/** An endpoint, whatever its address. `refresh` is the token endpoint with a refresh token. */
export type Endpoint =
  | "metadata"
  | "keys"
  | "authorization"
  | "pushed"
  | "token"
  | "refresh"
  | "userinfo"
  | "introspection"
  | "end-session";

/** What a behavior can read. */
export interface Situation {
  /** The endpoint for the token or response; `back-channel` for logout tokens. */
  readonly at: "authorization" | "token" | "refresh" | "userinfo" | "back-channel";
  readonly issuer: string;
  readonly client: HostileClient;
  /** Parameters of the authorization request; empty if there was none. */
  readonly request: Readonly<Record<string, string>>;
  readonly alg: HostileAlgorithm;
  readonly keys: KeyRing;
  readonly nowSeconds: number;
  /** Another host, which logs its requests. */
  readonly strangerURL: string;
  /** The most recent ID token. */
  readonly previousIDToken: string | undefined;
}

/** A fault of a signed token, by the step of its making. Each step is optional. */
export interface TokenFault {
  readonly claims?: (claims: Members, situation: Situation) => Members;
  readonly header?: (header: Members, situation: Situation) => Members;
  /** The payload as JSON, before it is encoded and signed. */
  readonly payload?: (json: string, situation: Situation) => string | Uint8Array;
  /** Signs in place of the provider's own key; `null` signs nothing. */
  readonly signer?: (situation: Situation) => Signer | null;
  /** The finished token. */
  readonly text?: (token: string, situation: Situation) => string;
}

/** One parameter of the authorization response; a list, because faults repeat and reorder them. */
export type Parameter = readonly [name: string, value: string];

/** The faults of a provider. Without a member for a step, the provider does this step correctly. */
export interface Behavior {
  readonly idToken?: TokenFault;
  readonly logoutToken?: TokenFault;
  /** Userinfo responds with a signed JWT with this fault. Default: plain JSON. */
  readonly userinfoToken?: TokenFault;
  readonly authorizationResponse?: (
    parameters: readonly Parameter[],
    situation: Situation,
  ) => readonly Parameter[];
  /** Parameters for the query of the redirect URI while the response itself is posted. */
  readonly queryBesideForm?: (situation: Situation) => readonly Parameter[];
  /** The response mode, regardless of the request. */
  readonly responseMode?: "query" | "form_post";
  readonly tokenResponse?: (body: Members, situation: Situation) => unknown;
  readonly pushedResponse?: (body: Members, situation: Situation) => unknown;
  readonly userinfo?: (claims: Members, situation: Situation) => unknown;
  readonly introspection?: (members: Members, situation: Situation) => unknown;
  readonly metadata?: (metadata: Members, situation: Situation) => Members;
  readonly keySet?: (keys: readonly JWK[], situation: Situation) => readonly JWK[];
  readonly afterLogout?: (parameters: readonly Parameter[]) => readonly Parameter[];
  /** Faults of the connection or of whole responses, by endpoint. */
  readonly faults?: Partial<Record<Endpoint, Fault | ((nth: number) => Fault | undefined)>>;
  /** New keys at each sign-in: before the authorization response, or just before signing. */
  readonly newKeys?: "before-sign-in" | "before-signing";
  /** The registered algorithm of the client, for all good tokens. */
  readonly alg?: HostileAlgorithm;
  /** The only accepted client authentication method. */
  readonly authMethod?: HostileAuthMethod;
  /** Reads client ID and secret from the Basic header without form-decoding them. */
  readonly rawBasic?: boolean;
  /** A refresh returns no new refresh token, and the old one stays valid. */
  readonly keepsRefreshToken?: boolean;
  /** Accepts a code without checking the PKCE verifier. */
  readonly ignoresPKCE?: boolean;
  /** Rejects authorization requests without a push. */
  readonly requiresPushedRequests?: boolean;
  /** The endpoints of the good metadata do not exist. */
  readonly movedAway?: boolean;
  /** Added to the provider's clock, in seconds. */
  readonly clockOffsetSeconds?: number;
}
