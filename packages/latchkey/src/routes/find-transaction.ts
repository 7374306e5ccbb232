import { homeURL, loginURL } from "../access/addresses.ts";
import type { Exchange } from "../access/exchange.ts";
import type { Context } from "../context.ts";
import { isSameText } from "../crypto/digest.ts";
import { HandlerError, type Recovery } from "../errors/handler-error.ts";
import type { Reason } from "../errors/reasons.ts";
import { Refusal } from "../errors/refusal.ts";
import { clearedAtMost } from "../http/cookies.ts";
import { isNoNavigation } from "../http/fetch-metadata.ts";
import type { Parameters } from "../http/parameters.ts";
import { activeSession } from "../session/read-session.ts";
import type { TransactionCookie } from "../transaction/transaction-cookies.ts";
import { isRestart, type Transaction } from "../transaction/transaction.ts";

export interface FoundTransaction {
  readonly cookie: TransactionCookie;
  readonly transaction: Transaction;
}

/**
 * The transaction that an authorization response answers: the one with the same `state`.
 *
 * @throws {HandlerError} `state_cookie_missing`, `state_cookie_malformed`, `state_missing`, `state_mismatch`
 */
export async function findTransaction(
  context: Context,
  exchange: Exchange,
  parameters: Parameters,
): Promise<FoundTransaction> {
  const present = context.transactions
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
        ? unreadable.map((each) => context.transactions.remove(each))
        : [],
  });
}

function hasState(transaction: Transaction, state: string | undefined): boolean {
  return state !== undefined && isSameText(transaction.state, state);
}

function whyNotFound(present: readonly TransactionCookie[], parameters: Parameters): Reason {
  const state = parameters.get("state");
  const isCurrent = present.some(({ transaction }) => typeof transaction === "object");
  if (isCurrent) return (state ?? "") === "" ? "state_missing" : "state_mismatch";
  const isReadable = present.some(({ transaction }) => transaction === "expired");
  if (!isReadable && present.length > 0) return "state_cookie_malformed";
  if (parameters.size === 0) return "no_pending_login";
  return isRestart(state) ? "state_cookie_blocked" : "state_cookie_missing";
}

/**
 * Where a browser that came without its own transaction may go by itself: never further into this sign-in,
 * but to where it led, if that is known, or to a new one, once.
 */
async function recoveryOfLost(
  context: Context,
  exchange: Exchange,
  parameters: Parameters,
  reason: Reason,
): Promise<Recovery> {
  const { config, destinations } = context;
  const { request } = exchange;
  const state = parameters.get("state") ?? "";
  const returnTo = destinations.get(state);
  if (isNoNavigation(request) || request.method !== "GET") return { returnTo };
  if (await isSignedIn(exchange)) return { returnTo, redirectTo: returnTo ?? homeURL(config) };
  const isAnswer = parameters.has("code") || parameters.has("error");
  const wasLost = lostReasons.includes(reason) || returnTo !== undefined;
  return isAnswer && wasLost && !isRestart(state)
    ? { returnTo, redirectTo: loginURL(config, { returnTo, restart: "1" }) }
    : { returnTo };
}

const lostReasons: readonly Reason[] = ["state_cookie_missing", "state_cookie_malformed"];

/** What the response to a sign-in that failed after its transaction was found still does for the person. */
export async function recoveryOf(
  { config }: Context,
  exchange: Exchange,
  { returnTo, state }: Transaction,
  cause: unknown,
): Promise<Recovery> {
  if (!(cause instanceof Refusal) || isNoNavigation(exchange.request)) return { returnTo };
  if (cause.reason === "sign_in_cancelled") {
    return { returnTo, redirectTo: `${homeURL(config)}?notice=cancelled` };
  }
  if (cause.reason === "code_rejected" && (await isSignedIn(exchange))) {
    return { returnTo, redirectTo: returnTo };
  }
  const isPassing =
    cause.reason === "provider_trouble" ||
    (cause.reason === "provider_interaction_required" &&
      config.authorizationParams["prompt"] === "none");
  return isPassing && !isRestart(state)
    ? { returnTo, redirectTo: loginURL(config, { returnTo, restart: "1" }) }
    : { returnTo };
}

async function isSignedIn(exchange: Exchange): Promise<boolean> {
  return activeSession(await exchange.read().catch(() => null)) !== null;
}
