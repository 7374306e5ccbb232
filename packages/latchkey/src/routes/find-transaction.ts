import { homeURL, loginURL } from "../request/addresses.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import { isSameText } from "../crypto/digest.ts";
import { HandlerError, type Recovery } from "../errors/handler-error.ts";
import type { PlainReason, Reason } from "../errors/reasons.ts";
import { Refusal, refusalOf } from "../errors/refusal.ts";
import { clearedAtMost } from "../http/cookies.ts";
import { isNoNavigation } from "../http/fetch-metadata.ts";
import type { Parameters } from "../http/parameters.ts";
import { isAlwaysSilent } from "../oidc/authorization-request.ts";
import type { CheckList } from "../oidc/checks/check.ts";
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
  const { transactions } = context.signIns;
  const present = transactions
    .read(exchange.cookies)
    .filter(({ transaction }) => transaction !== "foreign" && transaction !== "unbound");
  try {
    context.connections.default.check(transactionChecks, { present, parameters });
    // The check has refused a response without one.
    return foundIn({ present, parameters }) as FoundTransaction;
  } catch (cause) {
    const { reason } = refusalOf(cause);
    const isMalformed = reason === "state_cookie_malformed";
    const unreadable = present.filter(({ transaction }) => transaction === "unreadable");
    throw new HandlerError("callback", cause, {
      ...(await recoveryOfLost(context, exchange, parameters, reason)),
      setCookies: isMalformed
        ? unreadable.slice(0, clearedAtMost).map((each) => transactions.remove(each))
        : [],
    });
  }
}

interface Received {
  /** The cookies of started sign-ins in the request. */
  readonly present: readonly TransactionCookie[];
  readonly parameters: Parameters;
}

/** Whether the response belongs to a sign-in that this browser has started. */
export const transactionChecks: CheckList<Received> = {
  title: "Started sign-in",
  checks: [
    /** The browser has the cookie of a sign-in that it has started. */
    {
      name: "Cookie of the started sign-in",
      reason: "state_cookie_missing",
      reasonOf: whyNoneIsCurrent,
      holds: ({ present }) => statesOf(present).length > 0,
      expected: () => "at least one that can be read",
      actual: ({ present }) => `${statesOf(present).length} readable`,
      refusal: () => ({ detail: undefined }),
    },
    /** The state is that of a started sign-in (RFC 6749, 10.12). */
    {
      name: "state",
      reason: "state_mismatch",
      reasonOf: ({ parameters }) =>
        (parameters.get("state") ?? "") === "" ? "state_missing" : "state_mismatch",
      holds: (received) => foundIn(received) !== null,
      expected: ({ present }) => statesOf(present).join(" or "),
      actual: ({ parameters }) => parameters.get("state"),
      isSecret: true,
    },
  ],
};

function foundIn({ present, parameters }: Received): FoundTransaction | null {
  const state = parameters.get("state");
  for (const cookie of present) {
    const { transaction } = cookie;
    if (typeof transaction === "object" && hasState(transaction, state))
      return { cookie, transaction };
  }
  return null;
}

function hasState(transaction: Transaction, state: string | undefined): boolean {
  return state !== undefined && isSameText(transaction.state, state);
}

function statesOf(present: readonly TransactionCookie[]): readonly string[] {
  return present.flatMap(({ transaction }) =>
    typeof transaction === "object" ? [transaction.state] : [],
  );
}

function whyNoneIsCurrent({ present, parameters }: Received): PlainReason {
  const isReadable = present.some(({ transaction }) => transaction === "expired");
  if (!isReadable && present.length > 0) return "state_cookie_malformed";
  if (parameters.size === 0) return "no_pending_login";
  return isRestart(parameters.get("state")) ? "state_cookie_blocked" : "state_cookie_missing";
}

/**
 * Returns an automatic next step for a browser without its own transaction. It never continues this
 * sign-in: it goes to the destination if known, or to a new sign-in, once.
 */
async function recoveryOfLost(
  context: Context,
  exchange: Exchange,
  parameters: Parameters,
  reason: Reason,
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

const lostReasons: readonly Reason[] = ["state_cookie_missing", "state_cookie_malformed"];

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
      isAlwaysSilent(context.connections.default));
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
