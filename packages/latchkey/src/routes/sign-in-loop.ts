import type { Exchange } from "../access/exchange.ts";
import type { Context } from "../context.ts";
import { HandlerError } from "../errors/handler-error.ts";
import { Refusal } from "../errors/refusal.ts";
import type { SessionResult } from "../session/read-session.ts";

const signInsAtMost = 2;

/**
 * Stops a browser that goes round in circles: two finished sign-ins within a minute, no session in
 * between, and here it is again. The next try is free, so that nobody is locked out.
 *
 * @throws {HandlerError} `sign_in_loop`
 */
export async function checkNoLoop(context: Context, exchange: Exchange): Promise<void> {
  const { loopCounter } = context;
  if (loopCounter.count(exchange.cookies) < signInsAtMost) return;
  if (cameBack(await exchange.read())) return;
  const setCookies = loopCounter.reset(exchange.cookies);
  throw new HandlerError("login", new Refusal("sign_in_loop"), { setCookies });
}

/** Tabs that sign in at the same moment end each other's sessions: those did come back all the same. */
export function cameBack(result: SessionResult): boolean {
  if (result.state !== "ended") return result.state === "active";
  return result.reason === "elsewhere" && result.stored !== null;
}
