import type { JSONObject } from "../../crypto/json-object.ts";
import type { Person } from "../../errors/refusal.ts";
import type { Check } from "../checks/check.ts";
import type { Connection } from "../connection.ts";

/**
 * The user belongs to the organization: by `org_id` if the setting starts with `org_`, else by
 * `org_name`, with the setting in lower case. The claims are those of the ID token before any
 * filter.
 *
 * @param expectedBy - the expected organization, if there is one
 */
export function organizationCheck<Facts extends { readonly claims: JSONObject }>(
  expectedBy: (facts: Facts) => string | undefined,
): Check<Facts> {
  const claimOf = (facts: Facts) => organizationClaim(expectedBy(facts) ?? "");
  const found = (facts: Facts) => facts.claims[claimOf(facts).name];
  return {
    name: "Organization",
    reason: "organization_mismatch",
    applies: (facts) => expectedBy(facts) !== undefined,
    holds: (facts) => found(facts) === claimOf(facts).value,
    expected: (facts) => `${claimOf(facts).name} ${claimOf(facts).value}`,
    actual: found,
    refusal: (facts) => ({
      detail: faultOf(claimOf(facts), found(facts)),
      person: { ...personOf(facts.claims), expected: expectedBy(facts) },
    }),
  };
}

type OneOrganization = Pick<Connection, "organization">;

/** The user belongs to the organization of the connection. */
export const ownOrganizationCheck = organizationCheck(
  ({ connection }: { readonly claims: JSONObject; readonly connection: OneOrganization }) =>
    connection.organization,
);

type OrganizationClaim = ReturnType<typeof organizationClaim>;

function faultOf({ name, value }: OrganizationClaim, found: unknown): string {
  const label = name === "org_id" ? "Organization Id (org_id)" : "Organization Name (org_name)";
  const fault =
    typeof found === "string"
      ? `claim value mismatch in the ID token; expected "${value}", found "${found.slice(0, 100)}"`
      : "claim must be a string present in the ID token";
  return `${label} ${fault}`;
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
