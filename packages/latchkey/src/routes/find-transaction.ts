import { chooserURL, homeURL, loginURL, withQuery } from "../config/addresses.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Config } from "../config/config.ts";
import { defaultID } from "../config/constants.ts";
import type { Context } from "../context.ts";
import { isSameText } from "../crypto/digest.ts";
import { HandlerError, type Recovery } from "../errors/handler-error.ts";
import type { PlainReason, Reason } from "../errors/reasons.ts";
import { Refusal, refusalOf } from "../errors/refusal.ts";
import { clearedAtMost } from "../http/cookies.ts";
import { isNoNavigation } from "../http/fetch-metadata.ts";
import type { Parameters } from "../http/parameters.ts";
import { isAlwaysSilent, redirectURI } from "../oidc/authorization-request.ts";
import type { CheckList } from "../oidc/checks/check.ts";
import { clientTag, type Connection } from "../oidc/connection.ts";
import type { Connections } from "../oidc/connections.ts";
import { activeSession } from "../session/read-session.ts";
import type { TransactionCookie } from "../transaction/transaction-cookies.ts";
import { isRestart, isForSharedComputer, type Transaction } from "../transaction/transaction.ts";
import { restartElsewhere } from "./restart-elsewhere.ts";

export interface FoundTransaction {
  readonly cookie: TransactionCookie;
  readonly transaction: Transaction;
  readonly connection: Connection;
}

/** A response as it has arrived. */
export interface ReceivedResponse {
  readonly parameters: Parameters;
  /** That of the address. */
  readonly client: Connection;
}

/**
 * Finds the transaction of an authorization response by its `state`: only those of its client and
 * its host count.
 *
 * @throws {HandlerError} `state_cookie_missing`, `state_cookie_malformed`, `state_missing`,
 *   `state_mismatch`, `connection_mismatch`
 */
export async function findTransaction(
  context: Context,
  exchange: Exchange,
  { parameters, client }: ReceivedResponse,
): Promise<FoundTransaction> {
  const { transactions } = context.signIns;
  const started = transactions
    .read(exchange.cookies)
    .filter(({ transaction }) => transaction !== "foreign" && transaction !== "unbound");
  const { config, connections } = context;
  const arrival = { client, config, connections };
  const pending = await Promise.all(started.map((cookie) => pendingAt(arrival, cookie)));
  try {
    client.check(transactionChecks, { pending, parameters });
    // The check has refused a response without one, or without a connection.
    return foundIn({ pending, parameters }) as FoundTransaction;
  } catch (cause) {
    const found = foundIn({ pending, parameters });
    const recovery =
      found !== null && found.connection === null
        ? restartElsewhere(context, exchange, found.transaction)
        : await recoveryOfLost(context, exchange, { parameters, client }, cause);
    const useless = uselessAfter(cause, { pending, parameters });
    const setCookies = useless.map(({ cookie }) => transactions.remove(cookie));
    throw new HandlerError("callback", cause, { ...recovery, setCookies });
  }
}

/** Where a response has arrived. */
interface Arrival {
  readonly client: Connection;
  readonly config: Config;
  readonly connections: Connections;
}

/** A started sign-in, seen from the address of a response. */
interface Pending {
  readonly cookie: TransactionCookie;
  /** `null` if it is not known any more, or if the cookie cannot be read. */
  readonly connection: Connection | null;
  /** Whether its response is to arrive here. */
  readonly isHere: boolean;
}

async function pendingAt(
  { client, config, connections }: Arrival,
  cookie: TransactionCookie,
): Promise<Pending> {
  const { transaction } = cookie;
  if (typeof transaction === "string") return { cookie, connection: null, isHere: true };
  const { connection: id = defaultID, origin } = transaction;
  const connection = await connections.byID(id);
  const isOfClient =
    connection === null || redirectURI(config, connection) === redirectURI(config, client);
  return { cookie, connection, isHere: isOfClient && origin === originOf(config) };
}

interface Received {
  readonly pending: readonly Pending[];
  readonly parameters: Parameters;
}

/** Whether the response belongs to a sign-in that this browser has started. */
export const transactionChecks: CheckList<Received> = {
  title: "Started sign-in",
  checks: [
    /** The state is that of no sign-in at another connection or host (RFC 9700, 4.4.2). */
    {
      name: "Connection of the started sign-in",
      reason: "connection_mismatch",
      holds: ({ pending, parameters }) =>
        pendingWith(
          parameters.get("state"),
          pending.filter(({ isHere }) => !isHere),
        ) === null,
      expected: () => "that of this address",
      actual: () => "another one",
      refusal: () => ({ detail: "the sign-in was started for another connection or host" }),
    },
    /** The browser has the cookie of a sign-in that it has started. */
    {
      name: "Cookie of the started sign-in",
      reason: "state_cookie_missing",
      reasonOf: whyNoneIsCurrent,
      holds: (received) => statesOf(received).length > 0,
      expected: () => "at least one that can be read",
      actual: (received) => `${statesOf(received).length} readable`,
      refusal: () => ({ detail: undefined }),
    },
    /** The state is that of a started sign-in (RFC 6749, 10.12). */
    {
      name: "state",
      reason: "state_mismatch",
      reasonOf: ({ parameters }) =>
        (parameters.get("state") ?? "") === "" ? "state_missing" : "state_mismatch",
      holds: (received) => foundIn(received) !== null,
      expected: (received) => statesOf(received).join(" or "),
      actual: ({ parameters }) => parameters.get("state"),
      isSecret: true,
    },
    /** The connection has the client of then: a code is for no other provider. */
    {
      name: "Client of the started sign-in",
      reason: "connection_mismatch",
      holds: (received) => hasItsClient(foundIn(received)),
      expected: () => "that of the connection",
      actual: () => "another one",
      refusal: () => ({ detail: "the settings of the connection have changed since" }),
    },
  ],
};

function hasItsClient(found: ReturnType<typeof foundIn>): boolean {
  if (found === null || found.connection === null) return false;
  const { transaction, connection } = found;
  return transaction.client === undefined || transaction.client === clientTag(connection);
}

function foundIn({ pending, parameters }: Received) {
  return pendingWith(
    parameters.get("state"),
    pending.filter(({ isHere }) => isHere),
  );
}

function pendingWith(state: string | undefined, pending: readonly Pending[]) {
  for (const { cookie, connection } of pending) {
    const { transaction } = cookie;
    if (typeof transaction === "object" && hasState(transaction, state))
      return { cookie, connection, transaction };
  }
  return null;
}

/** Where a sign-in was started, as its transaction says it; `undefined` for the first base URL. */
export function originOf({ isPrimary, origin }: Config): string | undefined {
  return isPrimary ? undefined : origin;
}

/** The cookies that no response can use any more. */
function uselessAfter(cause: unknown, received: Received): readonly Pick<Pending, "cookie">[] {
  const { reason } = refusalOf(cause);
  if (reason === "state_cookie_malformed") {
    const isUnreadable = ({ cookie }: Pending) => cookie.transaction === "unreadable";
    return received.pending.filter(isUnreadable).slice(0, clearedAtMost);
  }
  const found = reason === "connection_mismatch" ? foundIn(received) : null;
  // One of a connection that is gone stays: another instance may still know it.
  return found === null || found.connection === null ? [] : [found];
}

/** Whether a response is the one of a transaction. */
export function hasState(transaction: Transaction, state: string | undefined): boolean {
  return state !== undefined && isSameText(transaction.state, state);
}

/** The states of those that can be finished here. */
function statesOf({ pending }: Received): readonly string[] {
  return pending.flatMap(({ cookie: { transaction }, isHere }) =>
    typeof transaction === "object" && isHere ? [transaction.state] : [],
  );
}

function whyNoneIsCurrent({ pending, parameters }: Received): PlainReason {
  const here = pending.filter(({ isHere }) => isHere).map(({ cookie }) => cookie.transaction);
  if (!here.includes("expired") && here.length > 0) return "state_cookie_malformed";
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
  { parameters, client }: ReceivedResponse,
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
  { transaction, connection }: FoundTransaction,
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
