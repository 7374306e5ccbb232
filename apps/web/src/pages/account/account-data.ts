import type { Session } from "latchkey";

import { personName, textClaim } from "../../components/person-name.ts";
import { isMoment } from "../../messages/moments.ts";
import type { AccountView } from "./account-view.ts";

/**
 * What the account page shows. Tokens stay on the server: only whether there is one, and until when.
 *
 * @param limitedTo the organization that people must belong to, where there is one
 */
export function accountView(session: Session, now: number, limitedTo?: string): AccountView {
  const { user } = session;
  const { email_verified: confirmed } = user;
  const organization = textClaim(user.org_name) ?? textClaim(user.org_id);
  return {
    person: { sub: user.sub, name: personName(session), email: textClaim(user.email) },
    emailConfirmed: typeof confirmed === "boolean" ? confirmed : undefined,
    organization,
    limitedTo: limitedTo === undefined ? undefined : organization,
    ...accessOf(session, now),
  };
}

function accessOf(session: Session, now: number): Pick<AccountView, "access"> {
  const { accessToken, accessTokenExpiresAt: at, refreshToken } = session;
  if (accessToken === undefined) return {};
  if (!isMoment(at)) return { access: { state: "connected" } };
  const renews = refreshToken !== undefined;
  if (at <= now) return { access: { state: renews ? "will-renew" : "ended" } };
  return { access: renews ? { state: "renews" } : { state: "until", at } };
}
