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
