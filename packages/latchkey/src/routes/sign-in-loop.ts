import type { Exchange } from "../request/exchange.ts";
import type { Context } from "../context.ts";
import { HandlerError } from "../errors/handler-error.ts";
import { Refusal } from "../errors/refusal.ts";
import { isPageLoad } from "../http/fetch-metadata.ts";
import type { Connection } from "../oidc/connection.ts";
import type { SessionResult } from "../session/read-session.ts";

const lostAtMost = 2;
/** A browser follows twenty redirects, four of which are one round. */
const toSameAddressAtMost = 4;

/** A login that may be one of many. */
interface LoopingSignIn {
  readonly connection: Connection;
  /** `null` without a safe one, which leads nowhere. */
  readonly returnTo: string | null;
}

/**
 * Stops a browser in a sign-in loop within a minute: after two finished sign-ins without a session
 * in between, or after four for the same address with a session. A program may sign in without
 * limit. The next attempt is free, so no user is locked out.
 *
 * @throws {HandlerError} `sign_in_loop`, `sign_in_repeated`
 */
export async function checkNoLoop(
  context: Context,
  exchange: Exchange,
  { connection, returnTo }: LoopingSignIn,
): Promise<void> {
  const { loopCounter } = context.signIns;
  const { lost, toSameAddress } = loopCounter.count(exchange.cookies, {
    connection: connection.id,
    returnTo,
  });
  const isLed = toSameAddress >= toSameAddressAtMost && isPageLoad(exchange.request);
  if (lost < lostAtMost && !isLed) return;
  const isBack = cameBack(await exchange.read());
  if (isBack ? !isLed : lost < lostAtMost) return;
  const setCookies = loopCounter.reset(exchange.cookies);
  throw new HandlerError("login", isBack ? loopRefusal() : new Refusal("sign_in_loop"), {
    setCookies,
    connection: connection.named,
    returnTo: returnTo ?? undefined,
  });
}

function loopRefusal(): Refusal {
  const detail =
    "the session came back each time, and something in the app led to login again; if an access token has ended, add offline_access to LATCHKEY_SCOPE";
  return new Refusal("sign_in_repeated", { detail });
}

/**
 * Whether the session came back. Tabs with simultaneous sign-ins end each other's sessions, but
 * their cookies came back.
 */
export function cameBack(result: SessionResult): boolean {
  const { state } = result;
  return (
    state === "active" ||
    state === "unproved" ||
    (state === "ended" && result.reason === "elsewhere")
  );
}
