import { nearestName } from "../config/nearest-name.ts";
import { isLoopback } from "../config/rules/rule.ts";
import { asymmetricAlgorithms } from "../config/signing-algorithms.ts";
import { isJSONObject } from "../crypto/json-object.ts";
import type { ConfigFault } from "../errors/config-error.ts";
import { profiles } from "./profiles.ts";
import type {
  ApiOptions,
  DPoPOptions,
  IntrospectionOptions,
  IssuerOptions,
  TokenOptions,
} from "./settings.ts";

export const tokenNames = [
  "profile",
  "algorithms",
  "clientIDs",
] as const satisfies readonly (keyof TokenOptions)[];
const apiNames: readonly (keyof ApiOptions)[] = [
  ...tokenNames,
  "audience",
  "paths",
  "sessions",
  "origins",
  "preflights",
  "issuers",
  "introspection",
  "dpop",
];
const issuerNames: readonly (keyof IssuerOptions)[] = [...tokenNames, "issuer", "audience"];
const introspectionNames: readonly (keyof IntrospectionOptions)[] = [
  "endpoint",
  "clientID",
  "clientSecret",
  "tokens",
  "cacheSeconds",
  "jwt",
];
const dpopNames: readonly (keyof DPoPOptions)[] = ["isRequired", "nonce"];

/** Returns what is wrong with the options; JavaScript lets any value pass. */
export function faultsOf(options: Partial<ApiOptions> | undefined): readonly ConfigFault[] {
  if (typeof options !== "object" || options === null) return [noAudience];
  return [...unknownMembers("api", options, apiNames), ...faultsOfKnown(options)];
}

/** A misspelt member would be ignored, and what it demands with it. */
export function unknownMembers(
  option: string,
  given: unknown,
  names: readonly string[],
): readonly ConfigFault[] {
  return Object.keys(isJSONObject(given) ? given : {})
    .filter((name) => !names.includes(name))
    .map((name) => {
      const meant = nearestName(name, names);
      const remedy = meant === undefined ? "Remove it." : `Did you mean ${meant}?`;
      return { option: `${option}.${name}`, variable: "", message: "is not an option", remedy };
    });
}

/** The same without a look at members that are no options. */
export function faultsOfKnown(options: Partial<ApiOptions>): readonly ConfigFault[] {
  const {
    issuers = [],
    paths = [],
    sessions = true,
    origins = [],
    preflights = "answer",
  } = options;
  return [
    ...(isOneOrMore(options.audience) ? [] : [noAudience]),
    ...tokenFaults("api", options),
    ...(typeof sessions === "boolean" ? [] : [fault("sessions", "must be true or false")]),
    ...(isListOf(paths, isPath) ? [] : [fault("paths", "must be a list of paths such as /v1")]),
    ...(isListOf(origins, isOrigin)
      ? []
      : [fault("origins", "must be a list of origins such as https://spa.example.com")]),
    ...(preflights === "answer" || preflights === "pass"
      ? []
      : [fault("preflights", "must be answer or pass")]),
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
    ...unknownMembers(option, given, issuerNames),
    ...(isSecureAddress(issuer)
      ? []
      : [faultAt(`${option}.issuer`, `must be the address of an issuer, ${secureMessage}`)]),
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
  return [
    ...unknownMembers("api.introspection", given, introspectionNames),
    ...(endpoint === undefined || isSecureAddress(endpoint)
      ? []
      : [fault("introspection.endpoint", `must be an address, ${secureMessage}`)]),
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
  return [
    ...unknownMembers("api.dpop", given, dpopNames),
    ...(typeof isRequired === "boolean" && typeof nonce === "boolean"
      ? []
      : [fault("dpop", "must be true, false or an object with isRequired or nonce")]),
  ];
}

function clientsMessage(isCognito: boolean): string {
  return isCognito
    ? "must list the client IDs whose tokens count, since tokens of Cognito may have no aud"
    : "is for the profile cognito only";
}

/** Like the issuer of the sign-in: nothing on the way may change its keys and answers. */
function isSecureAddress(value: unknown): boolean {
  const { protocol, href = "" } = (typeof value === "string" ? URL.parse(value) : null) ?? {};
  return protocol === "https:" || (protocol === "http:" && isLoopback(href));
}

const secureMessage = "https except on this machine itself";

export function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isPath(value: unknown): boolean {
  return typeof value === "string" && /^\/(?!\/)[\w\-./~]*$/.test(value);
}

export function isOrigin(value: unknown): boolean {
  return URL.parse(String(value))?.origin === value;
}

export function isListOf(value: unknown, isOne: (each: unknown) => boolean, atLeast = 0): boolean {
  return Array.isArray(value) && value.length >= atLeast && value.every(isOne);
}

export function isOneOrMore(value: unknown): boolean {
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
