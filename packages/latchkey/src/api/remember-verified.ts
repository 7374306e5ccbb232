import { nowSeconds, type Runtime } from "../config/runtime.ts";
import { freezeDeep } from "../crypto/json-object.ts";
import { createRecentMap } from "../time/recent-map.ts";
import { checkTimes } from "./claims.ts";
import type { AccessToken } from "./jwt.ts";

/** In milliseconds. */
const keepMs = 60_000;
const atMost = 2000;

/**
 * Verifies a JWT that comes again once a minute, because clients send a token many times. Nothing
 * is kept of a token seen once (0108). The times of a remembered one are checked with every
 * request. Requests share its claims, so these are frozen.
 */
export function rememberVerified(
  verify: (token: string) => Promise<AccessToken>,
  context: Pick<Runtime, "clock" | "timing">,
): (token: string) => Promise<AccessToken> {
  const { clock, timing } = context;
  const remembered = createRecentMap<AccessToken>({ clock, timing, keepMs, atMost });
  const isNew = createSightings();
  return async (token) => {
    const known = remembered.get(token);
    if (known !== undefined) {
      checkTimes(known.claims, nowSeconds(context));
      return known;
    }
    const fresh = freezeDeep(await verify(token));
    if (!isNew(token)) remembered.set(token, fresh);
    return fresh;
  };
}

/** Places for marks, of four bytes each. */
const places = 2 ** 16;

/**
 * Returns whether a token is seen for the first time, more or less: it decides whether a token is
 * remembered, never whether it counts.
 */
function createSightings(): (token: string) => boolean {
  const marks = new Uint32Array(places);
  return (token) => {
    const mark = markOf(token);
    const place = mark % places;
    const isNew = marks[place] !== mark;
    marks[place] = mark;
    return isNew;
  };
}

/** A number made of the end of a token, which is the end of its signature. */
function markOf(token: string): number {
  let mark = 1;
  for (let index = Math.max(0, token.length - 16); index < token.length; index += 1) {
    mark = (Math.imul(mark, 31) + token.charCodeAt(index)) >>> 0;
  }
  return mark;
}
