import { homeURL, loginURL } from "../request/addresses.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import { isSameText } from "../crypto/digest.ts";
import { HandlerError, type Recovery } from "../errors/handler-error.ts";
import type { PlainReason } from "../errors/reasons.ts";
import { Refusal } from "../errors/refusal.ts";
import { clearedAtMost } from "../http/cookies.ts";
import { isNoNavigation } from "../http/fetch-metadata.ts";
import type { Parameters } from "../http/parameters.ts";
import { activeSession } from "../session/read-session.ts";
import type { TransactionCookie } from "../transaction/transaction-cookies.ts";
import { isRestart, isForSharedComputer, type Transaction } from "../transaction/transaction.ts";

export interface FoundTransaction {
  readonly cookie: TransactionCookie;
  readonly transaction: Transaction;
}

/**
 * Finds the transaction of an authorization response by its `state`.
 *
 * @throws {HandlerError} `state_cookie_missing`, `state_cookie_malformed`, `state_missing`,
 *   `state_mismatch`
 */
export async function findTransaction(
  context: Context,
  exchange: Exchange,
  parameters: Parameters,
): Promise<FoundTransaction> {
  const present = context.signIns.transactions
    .read(exchange.cookies)
    .filter(({ transaction }) => transaction !== "foreign" && transaction !== "unbound");
  const state = parameters.get("state");
  for (const cookie of present) {
    const { transaction } = cookie;
    if (typeof transaction === "object" && hasState(transaction, state))
      return { cookie, transaction };
  }
  const reason = whyNotFound(present, parameters);
  const unreadable = present
    .filter(({ transaction }) => transaction === "unreadable")
    .slice(0, clearedAtMost);
  throw new HandlerError("callback", new Refusal(reason), {
    ...(await recoveryOfLost(context, exchange, parameters, reason)),
    setCookies:
      reason === "state_cookie_malformed"
        ? unreadable.map((each) => context.signIns.transactions.remove(each))
        : [],
  });
}

function hasState(transaction: Transaction, state: string | undefined): boolean {
  return state !== undefined && isSameText(transaction.state, state);
}

function whyNotFound(present: readonly TransactionCookie[], parameters: Parameters): PlainReason {
  const state = parameters.get("state");
  const isCurrent = present.some(({ transaction }) => typeof transaction === "object");
  if (isCurrent) return (state ?? "") === "" ? "state_missing" : "state_mismatch";
  const isReadable = present.some(({ transaction }) => transaction === "expired");
  if (!isReadable && present.length > 0) return "state_cookie_malformed";
  if (parameters.size === 0) return "no_pending_login";
  return isRestart(state) ? "state_cookie_blocked" : "state_cookie_missing";
}

/**
 * Returns an automatic next step for a browser without its own transaction. It never continues this
 * sign-in: it goes to the destination if known, or to a new sign-in, once.
 */
async function recoveryOfLost(
  context: Context,
  exchange: Exchange,
  parameters: Parameters,
  reason: PlainReason,
): Promise<Recovery> {
  const { config, signIns } = context;
  const { request } = exchange;
  const state = parameters.get("state") ?? "";
  const returnTo = signIns.destinations.get(state);
  const again = { returnTo, shared: sharedIn(state) };
  if (isNoNavigation(request) || request.method !== "GET") return again;
  if (await isSignedIn(exchange)) return { returnTo, redirectTo: returnTo ?? homeURL(config) };
  const isAnswer = parameters.has("code") || parameters.has("error");
  const wasLost = lostReasons.includes(reason) || returnTo !== undefined;
  return isAnswer && wasLost && !isRestart(state)
    ? { ...again, redirectTo: loginURL(config, { ...again, restart: "1" }) }
    : again;
}

function sharedIn(state: string): "1" | undefined {
  return isForSharedComputer(state) ? "1" : undefined;
}

const lostReasons: readonly PlainReason[] = ["state_cookie_missing", "state_cookie_malformed"];

/** Returns the next step for the user after a sign-in failed with a known transaction. */
export async function recoveryOf(
  context: Context,
  exchange: Exchange,
  { returnTo, state }: Transaction,
  cause: unknown,
): Promise<Recovery> {
  const { config } = context;
  const again = { returnTo, shared: sharedIn(state) };
  if (!(cause instanceof Refusal) || isNoNavigation(exchange.request)) return again;
  if (cause.reason === "sign_in_cancelled") {
    return { returnTo, redirectTo: cancelledURL(config, returnTo) };
  }
  if (cause.reason === "code_rejected") return recoveryOfSpent(context, exchange, again, state);
  const isPassing =
    cause.reason === "provider_trouble" ||
    (cause.reason === "provider_interaction_required" &&
      config.authorizationParams["prompt"] === "none");
  return isPassing && !isRestart(state)
    ? { ...again, redirectTo: loginURL(config, { ...again, restart: "1" }) }
    : again;
}

/** The home page of the app, with the page that the user wanted. */
function cancelledURL(config: Config, returnTo: string): string {
  const home = homeURL(config);
  const wanted = returnTo === home ? "" : `&returnTo=${encodeURIComponent(returnTo)}`;
  return `${home}?notice=cancelled${wanted}`;
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
  again: Pick<Recovery, "returnTo" | "shared">,
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
