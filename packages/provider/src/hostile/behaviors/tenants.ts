import type { Behavior, Members, Situation } from "../behavior.ts";
import type { Entry } from "./entry.ts";
import { entry, replaceParameter } from "./entry.ts";

/** As Entra ID publishes it for `common` and `organizations`. */
const placeholder = "{tenantid}";

const sampleTenant = "8b1a9953-c461-4290-a4b0-9c8f0e1d2a3b";

/**
 * The behavior of Entra ID at an issuer such as `/common/v2.0`: metadata and keys name an issuer
 * of many tenants, its tokens the issuer and id of one.
 */
export function behaviorOfTenant(tenant: string): Behavior {
  const ofTenant = (claims: Members, { issuer }: Situation) => ({
    ...claims,
    iss: issuerOf(issuer, tenant),
    tid: tenant,
  });
  return {
    metadata: (metadata, { issuer }) => ({ ...metadata, issuer: issuerOf(issuer, placeholder) }),
    keySet: (keys, { issuer }) =>
      keys.map((key) => ({ ...key, issuer: issuerOf(issuer, placeholder) })),
    authorizationResponse: (parameters, { issuer }) =>
      replaceParameter(parameters, "iss", () => issuerOf(issuer, tenant)),
    idToken: { claims: ofTenant },
    logoutToken: { claims: ofTenant },
  };
}

/** The first segment of the path is the tenant; an issuer without a path gets one. */
function issuerOf(issuer: string, tenant: string): string {
  const [, origin = "", rest = ""] = /^(https?:\/\/[^/]+)(?:\/[^/]+)?(.*)$/.exec(issuer) ?? [];
  return `${origin}/${tenant}${rest}`;
}

export const tenants = {
  "PROVIDERS/issuer-of-many-tenants": entry(
    "login-fails",
    "publishes an issuer of many tenants",
    behaviorOfTenant(sampleTenant),
  ),
} satisfies Readonly<Record<string, Entry>>;
