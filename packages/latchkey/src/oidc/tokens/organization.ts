import type { JSONObject } from "../../crypto/json-object.ts";
import { type Person, Refusal } from "../../errors/refusal.ts";

/**
 * Checks the organization of the user: by `org_id` if the setting starts with `org_`, else by
 * `org_name`, with the setting in lower case. The claims are those of the ID token before any
 * filter.
 *
 * @throws {Refusal} `organization_mismatch`
 */
export function checkOrganization(claims: JSONObject, expected: string | undefined): void {
  if (expected === undefined) return;
  const { name, value: wanted } = organizationClaim(expected);
  const found = claims[name];
  if (found === wanted) return;
  const label = name === "org_id" ? "Organization Id (org_id)" : "Organization Name (org_name)";
  const fault =
    typeof found === "string"
      ? `claim value mismatch in the ID token; expected "${wanted}", found "${found.slice(0, 100)}"`
      : "claim must be a string present in the ID token";
  throw new Refusal("organization_mismatch", {
    detail: `${label} ${fault}`,
    person: { ...personOf(claims), expected },
  });
}

/** The claim that names an organization, and its expected value. */
export function organizationClaim(organization: string): {
  readonly name: "org_id" | "org_name";
  readonly value: string;
} {
  return organization.startsWith("org_")
    ? { name: "org_id", value: organization }
    : { name: "org_name", value: organization.toLowerCase() };
}

function personOf({ email, org_name: name, org_id: id }: JSONObject): Person {
  const organization = name ?? id;
  return { email: textOf(email), organization: textOf(organization) };
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === "string" ? claim : undefined;
}
