import type { Session } from "latchkey";

import { booleanClaim, personName, textClaim } from "../../components/person-name.ts";
import { isMoment } from "../../messages/moments.ts";

/** How the access to other services stands. */
export type AccessState = "renews" | "until" | "connected" | "will-renew" | "ended";

/** What the account page says of the person. */
export interface AccountPerson {
  readonly sub: string;
  readonly name: string;
  readonly email?: string | undefined;
}

/** What the account page shows beside the times of the session. */
export interface AccountView {
  readonly person: AccountPerson;
  /** Absent if the provider does not say it. */
  readonly emailConfirmed?: boolean | undefined;
  /** Its name; without a name, its id. */
  readonly organization?: string | undefined;
  /** The same, if the app admits people of one organization only. */
  readonly limitedTo?: string | undefined;
  /** Absent if the app has requested none. */
  readonly access?: {
    readonly state: AccessState;
    /** When it ends, epoch seconds. */
    readonly at?: number;
  };
}

/**
 * The view of the account page. Tokens stay on the server: the view has only their presence and
 * end.
 *
 * @param limitedTo the organization that people must belong to, if there is one
 */
export function accountView(session: Session, now: number, limitedTo?: string): AccountView {
  const { user } = session;
  const { email_verified: confirmed } = user;
  const organization = textClaim(user.org_name) ?? textClaim(user.org_id);
  return {
    person: { sub: user.sub, name: personName(session), email: textClaim(user.email) },
    emailConfirmed: booleanClaim(confirmed),
    organization,
    limitedTo: limitedTo === undefined ? undefined : organization,
    ...accessOf(session, now),
  };
}

/** Scopes about the person alone (OpenID Connect Core, 5.4 and 11). */
const identityScopes: ReadonlySet<string> = new Set([
  "openid",
  "profile",
  "email",
  "address",
  "phone",
  "offline_access",
]);

function reachesServices({ accessTokenScope = "" }: Session): boolean {
  return accessTokenScope.split(" ").some((scope) => scope !== "" && !identityScopes.has(scope));
}

function accessOf(session: Session, now: number): Pick<AccountView, "access"> {
  const { accessToken, accessTokenExpiresAt: at, refreshToken } = session;
  if (accessToken === undefined || !reachesServices(session)) return {};
  if (!isMoment(at)) return { access: { state: "connected" } };
  const renews = refreshToken !== undefined;
  if (at <= now) return { access: { state: renews ? "will-renew" : "ended" } };
  return { access: renews ? { state: "renews" } : { state: "until", at } };
}
