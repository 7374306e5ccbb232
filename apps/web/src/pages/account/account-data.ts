import type { Claims, Session } from "latchkey";

import type { AccountView, Claim, ClaimGroup, ClaimGroupName, ClaimValue } from "./account-view.ts";
import { personName, textClaim } from "../../components/person-name.ts";
import { isMoment } from "../../messages/moments.ts";

/** Claims whose value is a moment, in epoch seconds. */
const moments: ReadonlySet<string> = new Set(["updated_at", "auth_time"]);

/**
 * What the account page shows. Tokens stay on the server: only whether there is one, and until when.
 *
 * @param limitedTo the organization that people must belong to, where there is one
 */
export function accountView(session: Session, now: number, limitedTo?: string): AccountView {
  const { user } = session;
  const { email_verified: confirmed } = user;
  return {
    person: { sub: user.sub, name: personName(session), email: textClaim(user.email) },
    emailConfirmed: typeof confirmed === "boolean" ? confirmed : undefined,
    ...organizationOf(user, limitedTo),
    ...accessOf(session, now),
    claims: claimGroups(user),
  };
}

function organizationOf(
  { org_id: orgID, org_name: orgName }: Claims,
  limitedTo: string | undefined,
): Pick<AccountView, "organization"> {
  const id = textClaim(orgID);
  const name = textClaim(orgName);
  if (id === undefined && name === undefined) return {};
  return { organization: { name, id, limited: limitedTo !== undefined } };
}

function accessOf(session: Session, now: number): Pick<AccountView, "access"> {
  const { accessToken, accessTokenExpiresAt: at, accessTokenScope = "", refreshToken } = session;
  if (accessToken === undefined) return {};
  const scopes = accessTokenScope.split(" ").filter((scope) => scope !== "");
  if (!isMoment(at)) return { access: { state: "connected", scopes } };
  const renews = refreshToken !== undefined;
  if (at <= now) return { access: { state: renews ? "will-renew" : "ended", scopes } };
  return { access: { state: renews ? "renews" : "until", at, scopes } };
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

function claimGroups(user: Claims): ClaimGroup[] {
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

/** Says nothing to people: the name of the sign-in at the provider. */
const technical: ReadonlySet<string> = new Set(["sid"]);

/** Empty values are left out. */
function claimOf(name: string, value: unknown): Claim[] {
  if (technical.has(name)) return [];
  const readable = readableValue(name, value);
  return readable === undefined ? [] : [{ name, value: readable }];
}

function readableValue(name: string, value: unknown): ClaimValue | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  if (typeof value === "boolean") return { kind: "yes-no", yes: value };
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
