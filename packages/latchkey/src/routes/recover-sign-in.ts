import { chooserURL, homeURL, loginURL, withQuery } from "../config/addresses.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import type { Recovery } from "../errors/handler-error.ts";
import type { Reason } from "../errors/reasons.ts";
import { Refusal, refusalOf } from "../errors/refusal.ts";
import { isNoNavigation } from "../http/fetch-metadata.ts";
import type { Parameters } from "../http/parameters.ts";
import { isAlwaysSilent } from "../oidc/authorization-request.ts";
import type { Connection } from "../oidc/connection.ts";
import { activeSession } from "../session/read-session.ts";
import { isRestart, isForSharedComputer, type Transaction } from "../transaction/transaction.ts";

/** A response as it has arrived. */
export interface ReceivedResponse {
  readonly parameters: Parameters;
  /** That of the address. */
  readonly client: Connection;
}

/** A response to none of the sign-ins that its browser has started. */
interface LostResponse extends ReceivedResponse {
  readonly pendingStates: readonly string[];
}

/**
 * Returns an automatic next step for a browser without its own transaction. It never continues this
 * sign-in: it goes to the destination if known, or to a new sign-in, once.
 */
export async function recoveryOfLost(
  context: Context,
  exchange: Exchange,
  { parameters, client, pendingStates }: LostResponse,
  cause: unknown,
): Promise<Recovery> {
  const { config, signIns } = context;
  const { request } = exchange;
  const { reason } = refusalOf(cause);
  const state = parameters.get("state") ?? "";
  const started = signIns.recent.destinationOf(state);
  const { returnTo, connection: id = client.named } = started ?? {};
  const isHere = id !== undefined && (await context.connections.byID(id)) !== null;
  const again = { returnTo, connection: isHere ? id : undefined, shared: sharedIn(state) };
  if (isNoNavigation(request) || request.method !== "GET") return again;
  if (reason === "connection_mismatch") return again;
  if (await isSignedIn(exchange)) return { returnTo, redirectTo: returnTo ?? homeURL(config) };
  const isAnswer = parameters.has("code") || parameters.has("error");
  const wasLost = lostReasons.includes(reason) || started !== undefined;
  // A provider may alter the state, and with it the mark of a restart.
  const isFirst = ![state, ...pendingStates].some(isRestart);
  return isAnswer && wasLost && isFirst
    ? { ...again, redirectTo: loginURL(config, { ...again, restart: "1" }) }
    : again;
}

function sharedIn(state: string): "1" | undefined {
  return isForSharedComputer(state) ? "1" : undefined;
}

const lostReasons: readonly Reason[] = [
  "state_cookie_missing",
  "state_cookie_malformed",
  "state_mismatch",
];

interface StartedSignIn {
  readonly transaction: Transaction;
  readonly connection: Connection;
}

/** Returns the next step for the user after a sign-in failed with a known transaction. */
export async function recoveryOf(
  context: Context,
  exchange: Exchange,
  { transaction, connection }: StartedSignIn,
  cause: unknown,
): Promise<Recovery> {
  const { config } = context;
  const { returnTo, state } = transaction;
  const again = { returnTo, connection: connection.named, shared: sharedIn(state) };
  if (!(cause instanceof Refusal) || isNoNavigation(exchange.request)) return again;
  if (cause.reason === "sign_in_cancelled") {
    return { returnTo, redirectTo: cancelledURL(config, connection, returnTo) };
  }
  if (cause.reason === "code_rejected") return recoveryOfSpent(context, exchange, again, state);
  const isPassing =
    cause.reason === "provider_trouble" ||
    (cause.reason === "provider_interaction_required" && isAlwaysSilent(connection));
  return isPassing && !isRestart(state)
    ? { ...again, redirectTo: loginURL(config, { ...again, restart: "1" }) }
    : again;
}

/** The home page of the app, or the ways to sign in, with the page that the user wanted. */
function cancelledURL(config: Config, { named }: Connection, returnTo: string): string {
  const home = homeURL(config);
  const wanted = returnTo === home ? [] : [["returnTo", returnTo] as const];
  const fields = [["notice", "cancelled"] as const, ...wanted];
  return named === undefined ? withQuery(home, fields) : chooserURL(config, fields);
}

/** In milliseconds: by then a sign-in in progress at another instance is usually finished. */
const otherInstanceMs = 1000;

/**
 * Another instance may have had the same response, and its cookies may be on their way: the next
 * request shows whether the user is signed in, and begins again once if not. A browser drops the
 * other response when this one comes first, so this one comes late.
 */
async function recoveryOfSpent(
  { config, timing }: Context,
  exchange: Exchange,
  again: Pick<Recovery, "connection" | "returnTo" | "shared">,
  state: string,
): Promise<Recovery> {
  await timing.wait(otherInstanceMs);
  if (await isSignedIn(exchange)) return { returnTo: again.returnTo, redirectTo: again.returnTo };
  if (isRestart(state)) return again;
  return { ...again, redirectTo: loginURL(config, { ...again, restart: "if-needed" }) };
}

async function isSignedIn(exchange: Exchange): Promise<boolean> {
  return activeSession(await exchange.read().catch(() => null)) !== null;
}
