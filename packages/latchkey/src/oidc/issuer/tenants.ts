import type { ConnectionSettings } from "../../config/config.ts";
import type { JSONObject } from "../../crypto/json-object.ts";
import type { Check } from "../checks/check.ts";

/**
 * Entra ID publishes one issuer for many tenants, with this in place of the tenant's id; `tid` of a
 * token has the id.
 */
const placeholder = "{tenantid}";

/** Admits the users of every tenant. */
export const anyTenant = "any";

/** Whether an issuer stands for many tenants. */
export function isIssuerOfTenants(issuer: string): boolean {
  return issuer.includes(placeholder);
}

/**
 * Whether such an issuer belongs to an address of the same provider, which has another word in
 * place of the tenant: `common` or `organizations`.
 */
export function isIssuerAt(issuer: string, address: string): boolean {
  const word = partInPlace(issuer, address);
  return word !== null && /^[\w.-]+$/.test(word);
}

/** Returns the tenant of an issuer; `null` if it is not an issuer of this provider. */
export function tenantOf(issuerOfTenants: string, issuer: string): string | null {
  const tenant = partInPlace(issuerOfTenants, issuer);
  return tenant !== null && isTenantID(tenant) ? tenant : null;
}

/** The part of a text in the place of the tenant; `null` if it differs elsewhere. */
function partInPlace(issuer: string, text: string): string | null {
  const [before = "", after, ...more] = issuer.split(placeholder);
  // A whole segment of the path: the host belongs to the provider.
  const isSegment =
    /^https?:\/\/[^/]+\/(?:.*\/)?$/.test(before) && /^(?:\/.*)?$/.test(after ?? ".");
  if (!isSegment || after === undefined || more.length > 0) return null;
  if (!text.startsWith(before) || !text.endsWith(after)) return null;
  return text.slice(before.length, text.length - after.length);
}

/**
 * The issuer that a token must name: for an issuer of many tenants that of its own, `null` if it
 * has none.
 */
export function issuerFor(issuer: string, { tid }: JSONObject): string | null {
  if (!isIssuerOfTenants(issuer)) return issuer;
  return isTenantID(tid) ? issuer.replace(placeholder, tid) : null;
}

/** The words of Entra ID in the place of a tenant. */
const words = /\/(?:\{tenantid\}|common|organizations|consumers)(?=\/|$)/;

/** Whether an address is that of many tenants at Entra ID, by its form alone. */
export function isAddressOfTenants(address: string): boolean {
  return /\/(?:common|organizations|consumers)\/v2\.0\/?$/.test(address);
}

/**
 * The issuer of a user: of one with many tenants that of the user's tenant, the configured one if
 * the claims name no tenant.
 */
export function issuerOfUser(
  { name, hasTenants }: { readonly name: string; readonly hasTenants: boolean },
  { tid }: JSONObject,
): string {
  return hasTenants && isTenantID(tid) ? name.replace(words, `/${tid}`) : name;
}

/** An id, and nothing that would make another address of an issuer. */
function isTenantID(value: unknown): value is string {
  return typeof value === "string" && /^[\w-]{1,64}$/.test(value);
}

/** The users of the token's tenant may sign in. */
export const tenantCheck: Check<{
  readonly claims: JSONObject;
  readonly client: Pick<ConnectionSettings, "tenants">;
}> = {
  name: "tid",
  reason: "tenant_not_admitted",
  applies: ({ client }) => client.tenants !== undefined,
  holds: ({ claims: { tid }, client: { tenants = [] } }) =>
    isTenantID(tid) && isAdmitted(tid, tenants),
  expected: ({ client }) => client.tenants?.join(" or ") ?? "",
  actual: ({ claims }) => claims["tid"],
  refusal: ({ claims: { tid } }) => ({
    detail: isTenantID(tid) ? `tenant ${tid}` : "no tenant (tid)",
  }),
};

function isAdmitted(tenant: string, tenants: readonly string[]): boolean {
  const id = tenant.toLowerCase();
  return tenants.includes(anyTenant) || tenants.some((each) => each.toLowerCase() === id);
}

export function isAdmittedIssuer(
  name: string,
  tenants: readonly string[],
  issuerOfTenants: string,
): boolean {
  const tenant = tenantOf(issuerOfTenants, name);
  return tenant !== null && isAdmitted(tenant, tenants);
}
