import type { Context } from "../context.ts";
import { nowSeconds } from "../config/runtime.ts";
import { freezeDeep } from "../crypto/json-object.ts";
import { createRecentMap } from "../recent-map.ts";
import { checkTimes } from "./claims.ts";
import type { AccessToken } from "./jwt.ts";

/**
 * Verifies each JWT once a minute, because clients send a token many times (0108). Its times are
 * checked with every request. Requests share its claims, so these are frozen.
 */
export function rememberVerified(
  verify: (token: string) => Promise<AccessToken>,
  context: Pick<Context, "clock" | "timing">,
): (token: string) => Promise<AccessToken> {
  const { clock, timing } = context;
  const verified = createRecentMap<AccessToken>({ clock, timing, keepMs: 60_000, atMost: 2000 });
  return async (token) => {
    const known = verified.get(token);
    if (known !== undefined) {
      checkTimes(known.claims, nowSeconds(context));
      return known;
    }
    const fresh = freezeDeep(await verify(token));
    verified.set(token, fresh);
    return fresh;
  };
}
