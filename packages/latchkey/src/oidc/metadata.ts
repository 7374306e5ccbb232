import type { AuthorizationServer } from "oauth4webapi";

import type { Config } from "../config/config.ts";
import { isLoopback } from "../config/rules/rule.ts";
import { withoutNulls } from "../crypto/json-object.ts";
import { parseStrictJSON } from "../crypto/strict-json.ts";
import { Refusal } from "../errors/refusal.ts";
import { isIssuerAt, isIssuerOfTenants } from "./tenants.ts";
import { freshForMs } from "./outages/freshness.ts";
import { assertOK, type ProviderFetch, RedirectedRefusal } from "./provider-fetch.ts";
import type { Loaded } from "./outages/single-flight.ts";

/** The provider's metadata, checked: every endpoint in it may be called (Discovery 1.0, 3). */
export interface Metadata extends AuthorizationServer {
  readonly authorization_endpoint: string;
}

type Members = Readonly<Record<string, unknown>>;

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
): Promise<Loaded<Metadata>> {
  const address = discoveryAddress(config.issuerBaseURL);
  const response = await followOnce(address, fetch);
  assertOK(response, "metadata_invalid", address);
  const document = parseStrictJSON(await response.arrayBuffer());
  if (document === null) throw new Refusal("metadata_invalid", { detail: "not a JSON object" });
  return { value: checkMetadata(document, config), freshForMs: freshForMs(response.headers) };
}

/**
 * Checks the metadata of the configured issuer. Before, no secret may be sent to an endpoint.
 *
 * @throws {Refusal} `issuer_mismatch`, `metadata_invalid`
 */
export function checkMetadata(document: Members, config: Config): Metadata {
  const members = withoutNulls(document);
  checkIssuer(members["issuer"], config);
  checkEndpoints(members, config);
  checkAuthMethods(members);
  return members as unknown as Metadata;
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

function checkEndpoints(members: Members, config: Config): void {
  const needed = ["authorization_endpoint"];
  if (config.responseType !== "id_token") needed.push("token_endpoint");
  if (!config.idTokenSigningAlg.startsWith("HS")) needed.push("jwks_uri");
  const optional = [
    "token_endpoint",
    "jwks_uri",
    "userinfo_endpoint",
    "end_session_endpoint",
    "pushed_authorization_request_endpoint",
    "revocation_endpoint",
    "introspection_endpoint",
  ];
  for (const name of new Set([...needed, ...optional])) {
    const endpoint = members[name];
    if (endpoint === undefined && !needed.includes(name)) continue;
    if (!isEndpoint(endpoint, config.issuerBaseURL)) {
      throw new Refusal("metadata_invalid", {
        detail: `${name} is missing or not a usable address`,
      });
    }
  }
}

/** The methods of client authentication are looked up in it. */
function checkAuthMethods({ token_endpoint_auth_methods_supported: methods = [] }: Members): void {
  if (Array.isArray(methods) && methods.every((each) => typeof each === "string")) return;
  const detail = "token_endpoint_auth_methods_supported is no list of names";
  throw new Refusal("metadata_invalid", { detail });
}

/** Returns whether a URL is https, or plain http on this machine for an issuer on this machine. */
export function isEndpoint(endpoint: unknown, issuer: string): boolean {
  if (typeof endpoint !== "string" || !URL.canParse(endpoint)) return false;
  const { protocol, username } = new URL(endpoint);
  if (username !== "") return false;
  if (protocol === "https:") return true;
  return protocol === "http:" && issuer.startsWith("http:") && isLoopback(endpoint);
}
