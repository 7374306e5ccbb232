import type { ConnectionSettings } from "../../config/config.ts";
import { isHttps, isLoopback } from "../../config/rules/rule.ts";
import { type JSONObject, kindOf } from "../../crypto/json-object.ts";
import { Refusal } from "../../errors/refusal.ts";
import { errorIn } from "../error-answer.ts";
import { isIssuerAt, isIssuerOfTenants } from "./tenants.ts";
import { freshForMs } from "./outages/freshness.ts";
import {
  type MemberReader,
  optionalBoolean,
  type OptionalMember,
  optionalTexts,
  readDocument,
} from "./provider-document.ts";
import {
  assertOK,
  type ProviderFetch,
  type ProviderResponse,
  RedirectedRefusal,
  withoutQuery,
} from "./provider-fetch.ts";
import type { Loaded } from "./outages/single-flight.ts";
import { withoutTrailingSlash } from "../../http/trailing-slash.ts";

/** The provider's metadata, checked: every endpoint in it may be called (Discovery 1.0, 3). */
export interface Metadata {
  readonly [member: string]: unknown;
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint?: string;
  readonly jwks_uri?: string;
  readonly userinfo_endpoint?: string;
  readonly end_session_endpoint?: string;
  readonly pushed_authorization_request_endpoint?: string;
  readonly revocation_endpoint?: string;
  readonly introspection_endpoint?: string;
  readonly registration_endpoint?: string;
  readonly check_session_iframe?: string;
  readonly authorization_response_iss_parameter_supported?: boolean;
  readonly require_pushed_authorization_requests?: boolean;
  readonly token_endpoint_auth_methods_supported?: readonly string[];
  readonly prompt_values_supported?: readonly string[];
}

/** What the metadata must agree with. */
export interface MetadataSettings extends Pick<
  ConnectionSettings,
  "issuerBaseURL" | "metadataURL" | "tenants" | "responseType" | "idTokenSigningAlg"
> {
  /** Whether an endpoint that metadata name may be used; by default each one may. */
  readonly admits?: ((endpoint: URL) => boolean) | undefined;
}

/**
 * Returns the address of the metadata: as set, or appended to the issuer with one slash between
 * (Discovery 1.0, 4.1).
 */
export function metadataAddress({
  issuerBaseURL,
  metadataURL,
}: Pick<MetadataSettings, "issuerBaseURL" | "metadataURL">): string {
  return metadataURL ?? `${withoutTrailingSlash(issuerBaseURL)}/.well-known/openid-configuration`;
}

/**
 * Fetches and checks the provider's metadata.
 *
 * @param clients - those of the provider, one at least; the metadata must fit one of them
 * @throws {Refusal} `issuer_mismatch`, `metadata_invalid`, or what the call itself throws
 */
export async function fetchMetadata(
  clients: readonly MetadataSettings[],
  fetch: ProviderFetch,
  readMembers: MemberReader,
): Promise<Loaded<Metadata>> {
  const [first] = clients;
  if (first === undefined) throw new TypeError("Metadata are those of a client");
  const address = metadataAddress(first);
  if (first.admits?.(new URL(address)) === false) {
    const detail = `${withoutQuery(address)} is not ${expectedEndpoint(first)}`;
    throw new Refusal("metadata_invalid", { detail, suspect: "issuers of lookUp()" });
  }
  const response = await followOnce(address, fetch);
  assertOK(response, "metadata_invalid", withoutQuery(address));
  const document = await readDocument(response, "metadata", "metadata_invalid");
  const fitting = clients.find((client) => isFitting(document, client)) ?? first;
  const value = checkMetadata(document, fitting, readMembers);
  return { value, freshForMs: freshForMs(response.headers) };
}

function isFitting(document: JSONObject, client: MetadataSettings): boolean {
  try {
    checkIsMetadata(document);
    checkFits(document, client);
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks the metadata of the configured issuer. Before, no secret may be sent to an endpoint.
 *
 * @returns the members in use, without nulls and optional ones that cannot be used
 * @throws {Refusal} `issuer_mismatch`, `metadata_invalid`
 */
export function checkMetadata(
  document: JSONObject,
  settings: MetadataSettings,
  readMembers: MemberReader,
): Metadata {
  checkIsMetadata(document);
  checkFits(document, settings);
  const optional = optionalMembers(settings);
  const members = readMembers("metadata", keepUsed(document, Object.keys(optional)), optional);
  return { ...members, ...endpointsBesideMetadata(members, settings) } as unknown as Metadata;
}

/** Most members are unused, and an app may have the metadata of thousands of providers. */
function keepUsed(document: JSONObject, optional: readonly string[]): JSONObject {
  const names = ["issuer", "authorization_endpoint", ...optional];
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(document, name)).map((name) => [name, document[name]]),
  );
}

/**
 * Checks that metadata are those of this client, too.
 *
 * @throws {Refusal} `issuer_mismatch`, `metadata_invalid`
 */
export function checkFits(metadata: JSONObject, client: MetadataSettings): void {
  checkIssuer(metadata["issuer"], client);
  checkNeeded(metadata, client);
}

/** Some providers redirect to the same address with a slash: followed once, within one origin. */
async function followOnce(address: string, fetch: ProviderFetch): Promise<ProviderResponse> {
  const headers = { Accept: "application/json" };
  const init = { endpoint: "metadata", method: "GET", headers } as const;
  try {
    return await fetch(address, init);
  } catch (error) {
    if (!(error instanceof RedirectedRefusal) || error.location === null) throw error;
    const target = URL.parse(error.location, address);
    if (target === null || target.origin !== new URL(address).origin) throw error;
    return fetch(target.href, init);
  }
}

/** Some servers send an error with the status 200. */
function checkIsMetadata(document: JSONObject): void {
  const words = document["issuer"] === undefined ? errorIn(document) : null;
  if (words === null) return;
  const detail = `metadata: the provider sent an error: ${words.slice(0, 200)}`;
  throw new Refusal("metadata_invalid", { detail });
}

/**
 * The issuer must be the one configured, character by character (Discovery 4.3). If the settings
 * name tenants, it may stand for the tenants of this address.
 */
function checkIssuer(issuer: unknown, settings: MetadataSettings): void {
  const { issuerBaseURL, tenants } = settings;
  if (issuer === issuerBaseURL) return;
  const isText = typeof issuer === "string";
  if (isText && tenants !== undefined && isIssuerAt(issuer, issuerBaseURL)) return;
  const name = (isText ? issuer : JSON.stringify(issuer ?? null)).slice(0, 200);
  const remedy = isText && URL.canParse(issuer) ? `; ${remedyForIssuer(issuer, settings)}` : "";
  throw new Refusal("issuer_mismatch", {
    detail: `configured ${issuerBaseURL}, the provider calls itself ${name}${remedy}`,
  });
}

function remedyForIssuer(issuer: string, settings: MetadataSettings): string {
  if (isIssuerOfTenants(issuer)) return remedyForTenants;
  const remedy = "if it is your provider, set LATCHKEY_ISSUER_BASE_URL to exactly this";
  const address = metadataAddress(settings);
  if (settings.metadataURL !== undefined) {
    return `these are the metadata of LATCHKEY_METADATA_URL; ${remedy}, or its public address at the provider`;
  }
  if (metadataAddress({ ...settings, issuerBaseURL: issuer }) === address) return remedy;
  return `${remedy}, and if it has no metadata there, LATCHKEY_METADATA_URL to ${address}`;
}

const remedyForTenants =
  "it serves many tenants: configure the address of your tenant, or set LATCHKEY_TENANTS to the ids of those whose users may sign in";

/** The endpoints without which this configuration signs no user in. */
function neededEndpoints({ responseType, idTokenSigningAlg }: MetadataSettings): readonly string[] {
  return [
    "authorization_endpoint",
    ...(responseType === "id_token" ? [] : ["token_endpoint"]),
    ...(idTokenSigningAlg.startsWith("HS") ? [] : ["jwks_uri"]),
  ];
}

function checkNeeded(members: JSONObject, settings: MetadataSettings): void {
  for (const name of neededEndpoints(settings)) {
    if (isAdmitted(members[name], settings)) continue;
    const fault = `${kindOf(members[name])}, not ${expectedEndpoint(settings)}`;
    throw new Refusal("metadata_invalid", { detail: `${name} is ${fault}` });
  }
}

/** The other members in use, by their kind. */
const optionalEndpoints = [
  "token_endpoint",
  "jwks_uri",
  "userinfo_endpoint",
  "end_session_endpoint",
  "pushed_authorization_request_endpoint",
  "revocation_endpoint",
  "introspection_endpoint",
  "registration_endpoint",
  "check_session_iframe",
];
const optionalFlags = [
  "authorization_response_iss_parameter_supported",
  "require_pushed_authorization_requests",
];
const optionalLists = ["token_endpoint_auth_methods_supported", "prompt_values_supported"];

function optionalMembers(
  settings: MetadataSettings,
): Readonly<Record<string, OptionalMember<unknown>>> {
  const endpoint = {
    expected: expectedEndpoint(settings),
    read: (value: unknown) => (isAdmitted(value, settings) ? value : undefined),
  };
  return Object.fromEntries([
    ...optionalEndpoints.map((name) => [name, endpoint] as const),
    ...optionalFlags.map((name) => [name, optionalBoolean] as const),
    ...optionalLists.map((name) => [name, optionalTexts] as const),
  ]);
}

/** The endpoints that the server calls, and no browser. */
const endpointsOfServers = [
  "token_endpoint",
  "jwks_uri",
  "userinfo_endpoint",
  "pushed_authorization_request_endpoint",
  "revocation_endpoint",
  "introspection_endpoint",
];

/**
 * Returns the endpoints that this server must call at another address than the metadata say: with
 * containers the issuer is on the developer's machine, and `localhost` is the container itself.
 */
function endpointsBesideMetadata(
  members: JSONObject,
  { issuerBaseURL, metadataURL }: MetadataSettings,
): Readonly<Record<string, string>> {
  if (metadataURL === undefined || isHttps(issuerBaseURL)) return {};
  const { origin } = new URL(issuerBaseURL);
  const { origin: there } = new URL(metadataURL);
  const moved = endpointsOfServers.flatMap((name) => {
    const url = URL.parse(String(members[name]));
    return url?.origin === origin ? [[name, there + url.pathname + url.search] as const] : [];
  });
  return Object.fromEntries(moved);
}

function isAdmitted(endpoint: unknown, settings: MetadataSettings): endpoint is string {
  const { issuerBaseURL, metadataURL, admits } = settings;
  return isEndpoint(endpoint, issuerBaseURL, metadataURL) && (admits?.(new URL(endpoint)) ?? true);
}

function expectedEndpoint({ issuerBaseURL, admits }: MetadataSettings): string {
  if (admits !== undefined) return "an address that a customer may name";
  const otherwise = issuerBaseURL.startsWith("http:") ? ", or http on this machine" : "";
  return `an absolute https address${otherwise}`;
}

/**
 * Returns whether a URL is https, or for an issuer on this machine plain http: on this machine, or
 * at the host of the configured metadata.
 */
export function isEndpoint(
  endpoint: unknown,
  issuer: string,
  metadataURL = issuer,
): endpoint is string {
  if (typeof endpoint !== "string" || !URL.canParse(endpoint)) return false;
  const { protocol, username, password, origin } = new URL(endpoint);
  if (username + password !== "") return false;
  if (protocol === "https:") return true;
  if (protocol !== "http:" || isHttps(issuer)) return false;
  return isLoopback(endpoint) || origin === new URL(metadataURL).origin;
}
