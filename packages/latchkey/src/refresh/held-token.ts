import { softMarginSeconds } from "../config/constants.ts";
import { nowSeconds, type Runtime } from "../config/runtime.ts";
import type { WantedToken } from "../oidc/token-request.ts";
import { endOfToken, type HeldToken, type StoredSession } from "../session/session.ts";
import { type Refresh, report } from "./refresh.ts";

/** What a session holds of the wanted token. */
export function heldToken(
  { data }: Pick<StoredSession, "data">,
  { resource }: WantedToken,
): HeldToken {
  return resource === undefined ? data : (data.resourceTokens?.[resource] ?? {});
}

/** Whether an access token of a session is good for more than these seconds. */
export function isGoodFor(
  context: Pick<Runtime, "clock">,
  stored: StoredSession,
  seconds: number,
  wanted: WantedToken,
): boolean {
  const held = heldToken(stored, wanted);
  return held.accessToken !== undefined && endOfToken(held) - nowSeconds(context) > seconds;
}

/** Whether the token at hand is good for long enough to do without a refresh. */
export function canWait({ context, stored, wanted, isForced }: Refresh): boolean {
  return !isForced && isGoodFor(context, stored, softMarginSeconds, wanted);
}

/**
 * Goes on with the token at hand if it is good for more than these seconds; `null` if not, or for a
 * forced refresh.
 */
export function inHand(refresh: Refresh, seconds: number): StoredSession | null {
  const { context, stored, wanted, isForced } = refresh;
  if (isForced || !isGoodFor(context, stored, seconds, wanted)) return null;
  report(refresh, "in-hand");
  return stored;
}

/** Whether a session has a newer token than the one at hand, good for long enough. */
export function hasNewer({ context, stored, wanted }: Refresh, current: StoredSession): boolean {
  const isOther = heldToken(current, wanted).accessToken !== heldToken(stored, wanted).accessToken;
  return isOther && isGoodFor(context, current, softMarginSeconds, wanted);
}
