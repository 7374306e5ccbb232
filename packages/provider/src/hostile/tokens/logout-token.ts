import { randomUUID } from "node:crypto";
import type { Members } from "../behavior.ts";
import type { Context } from "../context.ts";
import { situationOf } from "../context.ts";
import { issueToken } from "./issue-token.ts";

const event = "http://schemas.openid.net/event/backchannel-logout";

/**
 * A logout token as the certification suite sends it: no `typ`, `sub` and `sid`, two minutes to
 * live, one unknown claim. Then the faults of the active behaviors, then the overrides.
 *
 * @param overrides members to replace; `undefined` leaves one out.
 */
export function mintLogoutToken(context: Context, overrides: Members): string {
  const situation = situationOf(context, "back-channel", {});
  const { issuer, client, nowSeconds } = situation;
  const claims: Members = {
    iss: issuer,
    aud: client.id,
    iat: nowSeconds,
    exp: nowSeconds + 120,
    jti: randomUUID(),
    sub: context.person["sub"],
    sid: context.lastSid,
    events: { [event]: {} },
    "urn:example:unknown": true,
    ...overrides,
  };
  const faults = context.behaviors.flatMap(({ logoutToken }) => logoutToken ?? []);
  return issueToken(claims, faults, situation);
}
