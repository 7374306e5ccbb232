import type { Config } from "../config/config.ts";
import { Refusal } from "../errors/refusal.ts";
import type { Parameters } from "../http/parameters.ts";
import { quote, reasonOfOAuthError } from "./client-call.ts";
import type { Metadata } from "./issuer/metadata.ts";
import { tenantOf } from "./issuer/tenants.ts";

/** The parameters read from an authorization response; all others are ignored. */
export const responseParameters: readonly string[] = [
  "code",
  "error",
  "error_description",
  "id_token",
  "iss",
  "state",
];

/** What an authorization response brings, by the response type. */
export type AuthorizationResponse =
  | { readonly code: string; readonly idToken: string | undefined }
  | { readonly code: undefined; readonly idToken: string };

/**
 * Reads an authorization response (OpenID Connect Core 3.1.2.5 to 3.1.2.7). Its `state` has matched
 * already: see `findTransaction`.
 *
 * @throws {Refusal} a `response_…` reason, or the reason for the provider's error
 */
export function readAuthorizationResponse(
  parameters: Parameters,
  config: Config,
  metadata: Metadata,
): AuthorizationResponse {
  checkIssuer(parameters, config, metadata);
  checkOneOutcome(parameters);
  checkError(parameters);
  const { responseType } = config;
  if (responseType === "code") {
    return { code: requireParameter(parameters, "code"), idToken: undefined };
  }
  const code = responseType === "id_token" ? undefined : requireParameter(parameters, "code");
  return { code, idToken: requireParameter(parameters, "id_token") };
}

/**
 * Checks the `iss` parameter (RFC 9207, 2.4): compared if present, required if the metadata promise
 * it. Beside an ID token, whose issuer is verified next, providers may leave it out (section 4).
 */
function checkIssuer(parameters: Parameters, config: Config, metadata: Metadata): void {
  const { responseType } = config;
  const iss = parameters.get("iss");
  if (iss === undefined) {
    const isNamed = responseType.includes("id_token") && parameters.has("id_token");
    if (isNamed || metadata.authorization_response_iss_parameter_supported !== true) return;
    throw new Refusal("response_iss_missing");
  }
  // Whether the tenant is admitted is decided with the ID token, which must name the same one.
  const isOfTenant = config.tenants !== undefined && tenantOf(metadata.issuer, iss) !== null;
  if (iss !== metadata.issuer && !isOfTenant) {
    throw new Refusal("response_iss_mismatch", {
      detail: `expected ${metadata.issuer}, got ${quote(iss)}`,
    });
  }
}

function checkOneOutcome(parameters: Parameters): void {
  if (parameters.has("code") && parameters.has("error")) throw new Refusal("response_ambiguous");
}

function checkError(parameters: Parameters): void {
  const error = parameters.get("error");
  if (error === undefined) return;
  const description = parameters.get("error_description");
  const reason = reasonOfOAuthError(error, "provider_denied");
  const cancelled = error === "access_denied" && (description ?? "") === "";
  throw new Refusal(cancelled ? "sign_in_cancelled" : reason, {
    detail: quote(description === undefined ? error : `${error} (${description})`),
    suspect: suspects.get(error),
    providerText: description ?? error,
  });
}

/** What in the authorization request each error is about. */
const suspects: ReadonlyMap<string, string> = new Map([
  ["invalid_scope", "LATCHKEY_SCOPE"],
  ["invalid_request", "LATCHKEY_AUTHORIZATION_PARAMS and LATCHKEY_LOGIN_PARAMS"],
]);

function requireParameter(parameters: Parameters, name: "code" | "id_token"): string {
  const value = parameters.get(name);
  if (value === undefined || value === "") throw new Refusal(`response_${name}_missing`);
  return value;
}
