import type { Context } from "../context.ts";
import { peekAtSession } from "../access/visit-request.ts";
import { Refusal } from "../errors/refusal.ts";
import {
  clearCookie,
  type CookieAttributes,
  type Cookies,
  parseCookies,
  setCookie,
} from "../http/cookies.ts";
import type { Found } from "../session/visit.ts";

/** Counts sign-ins that were finished but whose session did not come back with the next request. */
export const loopCookieName = "auth_turns";

const windowSeconds = 60;
const turnsAtMost = 2;

/**
 * Stops a browser that goes round in circles: two finished sign-ins within a minute, no session in between, and
 * here it is again.
 *
 * @throws {Refusal} `sign_in_loop`
 */
export async function checkNoLoop(context: Context, request: Request): Promise<void> {
  if (turnsOf(parseCookies(request)) < turnsAtMost) return;
  if (cameBack(await peekAtSession(context, request))) return;
  throw new Refusal("sign_in_loop");
}

/** Tabs that sign in at the same moment end each other's sessions: those did come back all the same. */
function cameBack(found: Found): boolean {
  if (found.state !== "ended") return found.state === "live";
  return found.reason === "elsewhere" && found.stored !== null;
}

function turnsOf(cookies: Cookies): number {
  const turns = Number(cookies[loopCookieName] ?? 0);
  return Number.isSafeInteger(turns) ? turns : 0;
}

/** One more finished sign-in; the first, where the session of the one before has come back. */
export function countTurn({ config, clock }: Context, cookies: Cookies, before: Found): string {
  const turns = cameBack(before) ? 1 : turnsOf(cookies) + 1;
  const expires = Math.floor(clock() / 1000) + windowSeconds;
  return setCookie(loopCookieName, `${turns}`, attributes(config), expires);
}

/** The session came back: no loop. */
export function endTurns({ config }: Context, cookies: Cookies): readonly string[] {
  const counted = cookies[loopCookieName] !== undefined;
  return counted ? [clearCookie(loopCookieName, attributes(config))] : [];
}

function attributes(config: Context["config"]): CookieAttributes {
  const { path, secure } = config.session.cookie;
  return { path, secure, sameSite: "lax" };
}
