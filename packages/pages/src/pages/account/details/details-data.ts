import type { Claims } from "latchkey";

import { booleanClaim } from "../../../components/person-name.ts";
import { isMoment } from "../../../messages/moments.ts";

/** A claim, made readable. */
export type ClaimValue =
  | { readonly kind: "text"; readonly text: string }
  /** Indented. */
  | { readonly kind: "json"; readonly text: string }
  | { readonly kind: "yes-no"; readonly yes: boolean }
  | { readonly kind: "moment"; readonly at: number }
  | { readonly kind: "list"; readonly items: readonly string[] };

export interface Claim {
  readonly name: string;
  readonly value: ClaimValue;
}

/** What a claim is about. */
export type ClaimGroupName = "identity" | "contact" | "membership" | "other";

export interface ClaimGroup {
  readonly name: ClaimGroupName;
  readonly claims: readonly Claim[];
}

/** What the standard claims (OpenID Connect Core, 5.1) and well-known others are about. */
const groupMembers: Readonly<Record<Exclude<ClaimGroupName, "other">, ReadonlySet<string>>> = {
  identity: new Set([
    "sub",
    "name",
    "given_name",
    "family_name",
    "middle_name",
    "nickname",
    "preferred_username",
    "picture",
    "profile",
    "website",
    "gender",
    "birthdate",
    "locale",
    "zoneinfo",
  ]),
  contact: new Set(["email", "email_verified", "phone_number", "phone_number_verified", "address"]),
  membership: new Set(["org_id", "org_name", "groups", "roles", "hd", "tid"]),
};

const groupNames = ["identity", "contact", "membership", "other"] as const;

/** All claims of the provider, in groups. Empty values are left out. */
export function claimGroups(user: Claims): ClaimGroup[] {
  const all = Object.entries(user).flatMap(([name, value]) => claimOf(name, value));
  const groups = Map.groupBy(all, ({ name }) => groupOf(name));
  return groupNames.flatMap((name) => {
    const claims = groups.get(name);
    return claims === undefined ? [] : [{ name, claims }];
  });
}

function groupOf(claim: string): ClaimGroupName {
  const known = groupNames.find((group) => group !== "other" && groupMembers[group].has(claim));
  return known ?? "other";
}

/** Claims whose value is a moment, in epoch seconds. */
const moments: ReadonlySet<string> = new Set(["updated_at", "auth_time"]);

/** The provider's id of the sign-in, without meaning for people; the user ID has its own place. */
const elsewhere: ReadonlySet<string> = new Set(["sid", "sub"]);

function claimOf(name: string, value: unknown): Claim[] {
  if (elsewhere.has(name)) return [];
  const readable = readableValue(name, value);
  return readable === undefined ? [] : [{ name, value: readable }];
}

function readableValue(name: string, value: unknown): ClaimValue | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  const yes = booleanClaim(value);
  if (yes !== undefined) return { kind: "yes-no", yes };
  if (moments.has(name) && isMoment(value)) return { kind: "moment", at: value };
  if (Array.isArray(value) && value.every(isPlain)) {
    return { kind: "list", items: [...new Set(value.map(String))] };
  }
  if (!isPlain(value)) return { kind: "json", text: JSON.stringify(value, null, 2) };
  return { kind: "text", text: String(value) };
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value !== "object";
}
