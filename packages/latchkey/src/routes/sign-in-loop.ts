import type { Exchange } from "../access/exchange.ts";
import type { Context } from "../context.ts";
import { HandlerError } from "../errors/handler-error.ts";
import { Refusal } from "../errors/refusal.ts";
import { isPageLoad } from "../http/fetch-metadata.ts";
import type { SessionResult } from "../session/read-session.ts";

const lostAtMost = 2;
/** A browser follows twenty redirects, four of which are one round. */
const toSameAddressAtMost = 4;

/**
 * Stops a browser that goes round in circles, each time within a minute: after two finished sign-ins without a session
 * in between, and after four that were to lead to the same address where the session is there; a program may sign in as
 * often as it likes. The next try is free, so that nobody is locked out.
 *
 * @param returnTo - as the login asks for it; `null` where it asks for none that is safe: then nothing leads there
 * @throws {HandlerError} `sign_in_loop`, `sign_in_repeated`
 */
export async function checkNoLoop(
  context: Context,
  exchange: Exchange,
  returnTo: string | null,
): Promise<void> {
  const { loopCounter } = context;
  const { lost, toSameAddress } = loopCounter.count(exchange.cookies, returnTo);
  const isLed = toSameAddress >= toSameAddressAtMost && isPageLoad(exchange.request);
  if (lost < lostAtMost && !isLed) return;
  const isBack = cameBack(await exchange.read());
  if (isBack ? !isLed : lost < lostAtMost) return;
  const setCookies = loopCounter.reset(exchange.cookies);
  throw new HandlerError("login", isBack ? repeated() : new Refusal("sign_in_loop"), {
    setCookies,
    returnTo: returnTo ?? undefined,
  });
}

function repeated(): Refusal {
  const detail =
    "the session came back each time, and something in the app led to login again; where that is an access token that has ended, ask for offline_access in LATCHKEY_SCOPE";
  return new Refusal("sign_in_repeated", { detail });
}

/** Tabs that sign in at the same moment end each other's sessions: those did come back all the same. */
export function cameBack(result: SessionResult): boolean {
  if (result.state !== "ended") return result.state === "active";
  return result.reason === "elsewhere" && result.stored !== null;
}
