import { type AsymmetricAlgorithm, asymmetricAlgorithms } from "../config/signing-algorithms.ts";
import type { ConfigFault } from "../errors/config-error.ts";
import { type ProfileName, profiles } from "./profiles.ts";

/** Which access tokens an API accepts. */
export interface ApiOptions extends TokenOptions {
  /**
   * The API's own identifiers, one of which a token must name in `aud`: its address, or the GUID of
   * the API's registration with Entra ID. Several serve a move from one to another.
   */
  readonly audience: string | readonly string[];
  /**
   * Paths of the API beside `/api`, with everything below them: no request for them is led to
   * login, one without credentials gets a `Bearer` challenge, and preflights reach the app. Tokens
   * count at every path.
   */
  readonly paths?: readonly string[];
  /**
   * Origins whose scripts may read our own 401, 403 and 503. Needed if the app's CORS headers are
   * added after sign-in.
   */
  readonly origins?: readonly string[];
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

/** Returns what is wrong with the options; JavaScript lets any value pass. */
export function faultsOf(options: Partial<ApiOptions> | undefined): readonly ConfigFault[] {
  if (typeof options !== "object" || options === null) return [noAudience];
  const { issuers = [], paths = [], origins = [] } = options;
  return [
    ...(isOneOrMore(options.audience) ? [] : [noAudience]),
    ...tokenFaults("api", options),
    ...(isListOf(paths, isPath) ? [] : [fault("paths", "must be a list of paths such as /v1")]),
    ...(isListOf(origins, isOrigin)
      ? []
      : [fault("origins", "must be a list of origins such as https://spa.example.com")]),
    ...introspectionFaults(options.introspection),
    ...dpopFaults(options.dpop),
    ...(Array.isArray(issuers)
      ? issuers.flatMap((each, nth) => issuerFaults(`api.issuers[${nth}]`, each))
      : [fault("issuers", "must be a list")]),
  ];
}

function issuerFaults(
  option: string,
  given: Partial<IssuerOptions> | null,
): readonly ConfigFault[] {
  const { issuer, audience } = given ?? {};
  return [
    ...(typeof issuer === "string" && URL.canParse(issuer)
      ? []
      : [faultAt(`${option}.issuer`, "must be the address of an issuer")]),
    ...(audience === undefined || isOneOrMore(audience)
      ? []
      : [faultAt(`${option}.audience`, "must be text, or a list of texts")]),
    ...tokenFaults(option, given ?? {}),
  ];
}

function tokenFaults(option: string, given: TokenOptions): readonly ConfigFault[] {
  const { profile = "rfc9068", algorithms, clientIDs } = given;
  const known: readonly unknown[] = asymmetricAlgorithms;
  const isCognito = profile === "cognito";
  return [
    ...(Object.hasOwn(profiles, profile)
      ? []
      : [faultAt(`${option}.profile`, `must be one of ${Object.keys(profiles).join(", ")}`)]),
    ...(algorithms === undefined || isListOf(algorithms, (each) => known.includes(each), 1)
      ? []
      : [faultAt(`${option}.algorithms`, `must be a list of ${asymmetricAlgorithms.join(", ")}`)]),
    ...((isCognito ? isListOf(clientIDs, isText, 1) : clientIDs === undefined)
      ? []
      : [faultAt(`${option}.clientIDs`, clientsMessage(isCognito))]),
  ];
}

function introspectionFaults(given: ApiOptions["introspection"] = false): readonly ConfigFault[] {
  if (typeof given === "boolean") return [];
  if (typeof given !== "object" || given === null) {
    return [fault("introspection", "must be true, false or an object")];
  }
  const {
    endpoint,
    clientID,
    clientSecret,
    tokens = "all",
    cacheSeconds = 30,
    jwt = false,
  } = given;
  const isWhole = (clientID === undefined) === (clientSecret === undefined);
  const isTextOrAbsent = (value: unknown) => value === undefined || isText(value);
  const isAddress = endpoint === undefined || (isText(endpoint) && URL.canParse(endpoint));
  return [
    ...(isAddress ? [] : [fault("introspection.endpoint", "must be an address")]),
    ...(isWhole && isTextOrAbsent(clientID) && isTextOrAbsent(clientSecret)
      ? []
      : [fault("introspection.clientID", "and clientSecret must both be set, or neither")]),
    ...(tokens === "all" || tokens === "opaque"
      ? []
      : [fault("introspection.tokens", "must be all or opaque")]),
    ...(typeof cacheSeconds === "number" && cacheSeconds >= 0 && cacheSeconds <= 30
      ? []
      : [fault("introspection.cacheSeconds", "must be a number from 0 to 30")]),
    ...(typeof jwt === "boolean" ? [] : [fault("introspection.jwt", "must be true or false")]),
  ];
}

function dpopFaults(given: ApiOptions["dpop"] = true): readonly ConfigFault[] {
  if (typeof given === "boolean") return [];
  const isObject = typeof given === "object" && given !== null;
  const { isRequired = false, nonce = false } = isObject ? given : { nonce: null };
  return typeof isRequired === "boolean" && typeof nonce === "boolean"
    ? []
    : [fault("dpop", "must be true, false or an object with isRequired or nonce")];
}

function clientsMessage(isCognito: boolean): string {
  return isCognito
    ? "must list the client IDs whose tokens count, since tokens of Cognito may have no aud"
    : "is for the profile cognito only";
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isPath(value: unknown): boolean {
  return typeof value === "string" && /^\/(?!\/)[\w\-./~]*$/.test(value);
}

function isOrigin(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value) && new URL(value).origin === value;
}

function isListOf(value: unknown, isOne: (each: unknown) => boolean, atLeast = 0): boolean {
  return Array.isArray(value) && value.length >= atLeast && value.every(isOne);
}

function isOneOrMore(value: unknown): boolean {
  return isText(value) || isListOf(value, isText, 1);
}

function fault(name: string, message: string): ConfigFault {
  return faultAt(`api.${name}`, message);
}

function faultAt(option: string, message: string): ConfigFault {
  return { option, variable: "", message, remedy: "Change it where api() is called." };
}

const noAudience: ConfigFault = {
  option: "api.audience",
  variable: "",
  message: "is missing: without it tokens for any other API would count here",
  remedy: "Name this API as its tokens do in aud, for example https://api.example.com.",
};
