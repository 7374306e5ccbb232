import { errors } from "oidc-provider";
import type { ResourceSettings } from "./settings.ts";

/** Finds an API by what a client sends as `resource`; a final slash makes no difference. */
export function findResource(
  resources: readonly ResourceSettings[],
  identifier: string,
): ResourceSettings | undefined {
  const wanted = withoutSlash(identifier);
  return resources.find((resource) => withoutSlash(resource.identifier) === wanted);
}

/** @throws `invalid_target` (RFC 8707, section 2) for an unknown API */
export function requireResource(
  resources: readonly ResourceSettings[],
  identifier: string,
): ResourceSettings {
  const found = findResource(resources, identifier);
  if (found !== undefined) return found;
  throw new errors.InvalidTarget(`no API of this provider is called ${identifier}`);
}

/** An API in the terms of oidc-provider. */
export function resourceServerInfo(resource: ResourceSettings): Record<string, unknown> {
  const { identifier, audience = identifier, scopes, tokenFormat = "jwt" } = resource;
  const jwt = { sign: { alg: resource.signingAlg ?? "RS256" } };
  return { audience, scope: scopes.join(" "), accessTokenFormat: tokenFormat, jwt };
}

function withoutSlash(identifier: string): string {
  return (URL.parse(identifier)?.href ?? identifier).replace(/\/$/u, "");
}
