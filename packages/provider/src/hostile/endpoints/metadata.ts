import type { Endpoint, Members } from "../behavior.ts";
import type { Context } from "../context.ts";
import { situationOf } from "../context.ts";
import type { ResponseParts } from "../faults.ts";
import { json } from "../faults.ts";

const members: readonly (readonly [member: string, endpoint: Endpoint, path: string])[] = [
  ["authorization_endpoint", "authorization", "/authorize"],
  ["token_endpoint", "token", "/token"],
  ["userinfo_endpoint", "userinfo", "/userinfo"],
  ["jwks_uri", "keys", "/keys"],
  ["pushed_authorization_request_endpoint", "pushed", "/pushed"],
  ["introspection_endpoint", "introspection", "/introspect"],
  ["end_session_endpoint", "end-session", "/end-session"],
];

/** Returns the metadata (OpenID Connect Discovery 1.0, section 4.2). */
export function handleMetadata(context: Context): ResponseParts {
  return json(currentMetadata(context));
}

/** The metadata with the changes of the active behaviors. */
export function currentMetadata(context: Context): Members {
  const situation = situationOf(context, "authorization", {});
  return context.behaviors.reduce<Members>(
    (metadata, behavior) => behavior.metadata?.(metadata, situation) ?? metadata,
    goodMetadata(context),
  );
}

function goodMetadata(context: Context): Members {
  const base = `${context.origin}${issuerPath(context)}`;
  return {
    issuer: context.issuer,
    ...Object.fromEntries(members.map(([member, , path]) => [member, `${base}${path}`])),
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    code_challenge_methods_supported: ["S256"],
    grant_types_supported: ["authorization_code", "implicit", "refresh_token"],
    id_token_signing_alg_values_supported: [
      ...["RS", "PS", "HS"].flatMap((kind) => [256, 384, 512].map((bits) => `${kind}${bits}`)),
      "ES256",
      "EdDSA",
    ],
    response_modes_supported: ["query", "form_post"],
    response_types_supported: ["code", "code id_token", "id_token"],
    scopes_supported: ["openid", "profile", "email", "offline_access"],
    subject_types_supported: ["public"],
    token_endpoint_auth_methods_supported: [
      "client_secret_basic",
      "client_secret_post",
      "client_secret_jwt",
      "private_key_jwt",
    ],
  };
}

/** The endpoint at a path, by the current metadata and, unless it has moved, by the good one. */
export function endpointAt(
  context: Context,
  path: string,
  form: URLSearchParams,
): Endpoint | undefined {
  if (path.replace(/\/$/u, "") === metadataPath(context)) return "metadata";
  const moved = context.behaviors.some((behavior) => behavior.movedAway);
  const known = [currentMetadata(context), ...(moved ? [] : [goodMetadata(context)])];
  const found = members.find(([member]) =>
    known.some((metadata) => pathOf(metadata[member]) === path),
  );
  const endpoint = found?.[1];
  return endpoint === "token" && form.get("grant_type") === "refresh_token" ? "refresh" : endpoint;
}

/** The path of the metadata (OpenID Connect Discovery 1.0, section 4.1). */
function metadataPath(context: Context): string {
  return `${issuerPath(context)}/.well-known/openid-configuration`;
}

function issuerPath(context: Context): string {
  return new URL(context.issuer).pathname.replace(/\/$/u, "");
}

function pathOf(address: unknown): string | undefined {
  return typeof address === "string" ? URL.parse(address)?.pathname : undefined;
}
