import type { JWK } from "jose";
import type { Fault } from "./faults.ts";
import type { KeyRing, Signer } from "./key-ring.ts";
import type { HostileAlgorithm, HostileAuthMethod, HostileClient } from "./client.ts";

/** Members of a JSON object: claims, a header, metadata, a token answer. */
export type Members = Readonly<Record<string, unknown>>;

/** What the provider is asked for, whatever the address; `refresh` is the token endpoint too. */
export type Endpoint =
  | "metadata"
  | "keys"
  | "authorization"
  | "pushed"
  | "token"
  | "refresh"
  | "userinfo"
  | "end-session";

/** What a behaviour can see when it acts. */
export interface Situation {
  /** Where the token or answer goes out. Logout tokens: `back-channel`. */
  readonly at: "authorization" | "token" | "refresh" | "userinfo" | "back-channel";
  readonly issuer: string;
  readonly client: HostileClient;
  /** Parameters of the authorization request; empty for what belongs to none. */
  readonly request: Readonly<Record<string, string>>;
  readonly alg: HostileAlgorithm;
  readonly keys: KeyRing;
  readonly nowSeconds: number;
  /** Another host, which notes what reaches it. */
  readonly strangerURL: string;
  /** The last ID token that was issued before. */
  readonly previousIDToken: string | undefined;
}

/** A fault of a signed token, by the step at which it enters. Each step is optional. */
export interface TokenFault {
  readonly claims?: (claims: Members, situation: Situation) => Members;
  readonly header?: (header: Members, situation: Situation) => Members;
  /** The payload as it is written down, before it is encoded and signed. */
  readonly payload?: (json: string, situation: Situation) => string | Uint8Array;
  /** Signs in place of the provider's own key; `null` signs nothing. */
  readonly signer?: (situation: Situation) => Signer | null;
  /** The finished token. */
  readonly text?: (token: string, situation: Situation) => string;
}

/** One parameter of the authorization response; a list, because faults repeat and reorder them. */
export type Parameter = readonly [name: string, value: string];

/** How a provider behaves. Everything that is not named here it does well. */
export interface Behaviour {
  readonly idToken?: TokenFault;
  readonly logoutToken?: TokenFault;
  /** When set, userinfo is answered as a signed JWT, with this fault. */
  readonly userinfoToken?: TokenFault;
  readonly authorizationResponse?: (
    parameters: readonly Parameter[],
    situation: Situation,
  ) => readonly Parameter[];
  /** The redirect address with this added to its query, beside the form that is posted. */
  readonly queryBesideForm?: (situation: Situation) => readonly Parameter[];
  /** Answers in this mode, whatever was asked for. */
  readonly responseMode?: "query" | "form_post";
  readonly tokenResponse?: (body: Members, situation: Situation) => unknown;
  readonly pushedResponse?: (body: Members, situation: Situation) => unknown;
  readonly userinfo?: (claims: Members, situation: Situation) => unknown;
  readonly metadata?: (metadata: Members, situation: Situation) => Members;
  readonly keySet?: (keys: readonly JWK[], situation: Situation) => readonly JWK[];
  readonly afterLogout?: (parameters: readonly Parameter[]) => readonly Parameter[];
  /** Faults of the connection, or whole answers, by endpoint. */
  readonly faults?: Partial<Record<Endpoint, Fault | ((nth: number) => Fault | undefined)>>;
  /** New keys at each sign-in: before the authorization answer, or just before signing. */
  readonly newKeys?: "before-sign-in" | "before-signing";
  /** The algorithm that the client is set up for, and that good tokens are signed with. */
  readonly alg?: HostileAlgorithm;
  /** The only client authentication that is taken. */
  readonly authMethod?: HostileAuthMethod;
  /** Takes id and secret in the Basic header as they are, not form-encoded. */
  readonly rawBasic?: boolean;
  /** A refresh brings no new refresh token, and the old one stays good. */
  readonly keepsRefreshToken?: boolean;
  /** Takes a code without looking at the PKCE verifier. */
  readonly ignoresPKCE?: boolean;
  /** Refuses authorization requests that were not pushed. */
  readonly requiresPushedRequests?: boolean;
  /** The addresses that good metadata names are gone. */
  readonly movedAway?: boolean;
  /** Added to the provider's clock, in seconds. */
  readonly clockOffsetSeconds?: number;
}
