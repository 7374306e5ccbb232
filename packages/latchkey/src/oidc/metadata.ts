import type { AuthorizationServer } from "oauth4webapi";

import type { Config } from "../config/config.ts";
import { isLoopback } from "../config/rules/rule.ts";
import { type JSONObject, kindOf } from "../crypto/json-object.ts";
import { Refusal } from "../errors/refusal.ts";
import { isIssuerAt, isIssuerOfTenants } from "./tenants.ts";
import { freshForMs } from "./outages/freshness.ts";
import {
  type MemberReader,
  optionalBoolean,
  type OptionalMember,
  optionalTexts,
  readDocument,
} from "./provider-document.ts";
import { assertOK, type ProviderFetch, RedirectedRefusal } from "./provider-fetch.ts";
import type { Loaded } from "./outages/single-flight.ts";

/** The provider's metadata, checked: every endpoint in it may be called (Discovery 1.0, 3). */
export interface Metadata extends AuthorizationServer {
  readonly authorization_endpoint: string;
}

/**
 * Returns the address of an issuer's metadata: appended, with one slash between (Discovery 1.0,
 * 4.1).
 */
function discoveryAddress(issuer: string): string {
  return `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
}

/**
 * Fetches and checks the provider's metadata.
 *
 * @throws {Refusal} `issuer_mismatch`, `metadata_invalid`, or what the call itself throws
 */
export async function fetchMetadata(
  config: Config,
  fetch: ProviderFetch,
  readMembers: MemberReader,
): Promise<Loaded<Metadata>> {
  const address = discoveryAddress(config.issuerBaseURL);
  const response = await followOnce(address, fetch);
  assertOK(response, "metadata_invalid", address);
  const document = await readDocument(response, "metadata", "metadata_invalid");
  const value = checkMetadata(document, config, readMembers);
  return { value, freshForMs: freshForMs(response.headers) };
}

/**
 * Checks the metadata of the configured issuer. Before, no secret may be sent to an endpoint.
 *
 * @returns them without nulls, and without optional members that cannot be used
 * @throws {Refusal} `issuer_mismatch`, `metadata_invalid`
 */
export function checkMetadata(
  document: JSONObject,
  config: Config,
  readMembers: MemberReader,
): Metadata {
  checkIssuer(document["issuer"], config);
  checkNeeded(document, config);
  return readMembers("metadata", document, optionalMembers(config)) as unknown as Metadata;
}

/** Some providers redirect to the same address with a slash: followed once, within one origin. */
async function followOnce(address: string, fetch: ProviderFetch): Promise<Response> {
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

/**
 * The issuer must be the one configured, character by character (Discovery 4.3). If the settings
 * name tenants, it may stand for the tenants of this address.
 */
function checkIssuer(issuer: unknown, { issuerBaseURL, tenants }: Config): void {
  if (issuer === issuerBaseURL) return;
  const isText = typeof issuer === "string";
  if (isText && tenants !== undefined && isIssuerAt(issuer, issuerBaseURL)) return;
  const name = (isText ? issuer : JSON.stringify(issuer ?? null)).slice(0, 200);
  const remedy = isText && isIssuerOfTenants(issuer) ? `; ${remedyForTenants}` : "";
  throw new Refusal("issuer_mismatch", {
    detail: `configured ${issuerBaseURL}, the provider calls itself ${name}${remedy}`,
  });
}

const remedyForTenants =
  "it serves many tenants: configure the address of your tenant, or set LATCHKEY_TENANTS to the ids of those whose users may sign in";

/** The endpoints without which this configuration signs no user in. */
function neededEndpoints({ responseType, idTokenSigningAlg }: Config): readonly string[] {
  return [
    "authorization_endpoint",
    ...(responseType === "id_token" ? [] : ["token_endpoint"]),
    ...(idTokenSigningAlg.startsWith("HS") ? [] : ["jwks_uri"]),
  ];
}

function checkNeeded(members: JSONObject, config: Config): void {
  for (const name of neededEndpoints(config)) {
    if (isEndpoint(members[name], config.issuerBaseURL)) continue;
    const fault = `${kindOf(members[name])}, not ${expectedEndpoint(config)}`;
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

function optionalMembers(config: Config): Readonly<Record<string, OptionalMember<unknown>>> {
  const endpoint = {
    expected: expectedEndpoint(config),
    read: (value: unknown) => (isEndpoint(value, config.issuerBaseURL) ? value : undefined),
  };
  return Object.fromEntries([
    ...optionalEndpoints.map((name) => [name, endpoint] as const),
    ...optionalFlags.map((name) => [name, optionalBoolean] as const),
    ...optionalLists.map((name) => [name, optionalTexts] as const),
  ]);
}

function expectedEndpoint({ issuerBaseURL }: Config): string {
  const otherwise = issuerBaseURL.startsWith("http:") ? ", or http on this machine" : "";
  return `an absolute https address${otherwise}`;
}

/** Returns whether a URL is https, or plain http on this machine for an issuer on this machine. */
export function isEndpoint(endpoint: unknown, issuer: string): endpoint is string {
  if (typeof endpoint !== "string" || !URL.canParse(endpoint)) return false;
  const { protocol, username } = new URL(endpoint);
  if (username !== "") return false;
  if (protocol === "https:") return true;
  return protocol === "http:" && issuer.startsWith("http:") && isLoopback(endpoint);
}
