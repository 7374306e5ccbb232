import type { Exchange } from "../request/exchange.ts";
import type { Config } from "../config/config.ts";
import { defaultID } from "../config/constants.ts";
import type { Context } from "../context.ts";
import { isSameText } from "../crypto/digest.ts";
import { HandlerError } from "../errors/handler-error.ts";
import type { PlainReason } from "../errors/reasons.ts";
import { refusalOf } from "../errors/refusal.ts";
import { clearedAtMost } from "../http/cookies.ts";
import type { Parameters } from "../http/parameters.ts";
import { redirectURI } from "../oidc/authorization-request.ts";
import type { CheckList } from "../oidc/checks/check.ts";
import { clientTag, type Connection } from "../oidc/connection.ts";
import type { Connections } from "../oidc/connections.ts";
import type { TransactionCookie } from "../transaction/transaction-cookies.ts";
import { isRestart, type Transaction } from "../transaction/transaction.ts";
import { type ReceivedResponse, recoveryOfLost } from "./recover-sign-in.ts";
import { restartElsewhere } from "./restart-elsewhere.ts";

export interface FoundTransaction {
  readonly cookie: TransactionCookie;
  readonly transaction: Transaction;
  readonly connection: Connection;
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
  const arrival = { client, config, connections, state: parameters.get("state") };
  const pending = await Promise.all(started.map((cookie) => pendingAt(arrival, cookie)));
  const received = { pending, parameters };
  try {
    client.check(transactionChecks, received);
    // The check has refused a response without one, or without a connection.
    return foundIn(received) as FoundTransaction;
  } catch (cause) {
    const found = foundIn(received);
    const lost = { parameters, client, pendingStates: statesOf(received) };
    const recovery =
      found !== null && found.connection === null
        ? restartElsewhere(context, exchange, found.transaction)
        : await recoveryOfLost(context, exchange, lost, cause);
    const useless = uselessAfter(cause, received);
    const setCookies = useless.map(({ cookie }) => transactions.remove(cookie));
    throw new HandlerError("callback", cause, { ...recovery, setCookies });
  }
}

/** Where a response has arrived. */
interface Arrival {
  readonly client: Connection;
  readonly config: Config;
  readonly connections: Connections;
  readonly state: string | undefined;
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
  { client, config, connections, state }: Arrival,
  cookie: TransactionCookie,
): Promise<Pending> {
  const { transaction } = cookie;
  if (typeof transaction === "string") return { cookie, connection: null, isHere: true };
  const { connection: id = defaultID, origin } = transaction;
  const found = connections.byID(id);
  if (found instanceof Promise && !hasState(transaction, state)) {
    // A look-up that fails, or takes long, holds up no response for another connection.
    found.catch(() => undefined);
    return { cookie, connection: null, isHere: false };
  }
  const connection = await found;
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
      holds: (received) => foundElsewhere(received) === null,
      expected: () => "that of this address",
      actual: (received) => placeOf(foundElsewhere(received)) ?? "that of this address",
      refusal: (received) => ({
        detail: `the sign-in was started for another connection or host, ${placeOf(foundElsewhere(received))}`,
      }),
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
      actual: (received) =>
        hasItsClient(foundIn(received)) ? "that of the connection" : "another one",
      refusal: () => ({ detail: "the settings of the connection have changed since" }),
    },
  ],
};

function hasItsClient(found: ReturnType<typeof foundIn>): boolean {
  if (found === null || found.connection === null) return false;
  const { transaction, connection } = found;
  return transaction.client === undefined || transaction.client === clientTag(connection);
}

function foundElsewhere({ pending, parameters }: Received) {
  return pendingWith(
    parameters.get("state"),
    pending.filter(({ isHere }) => !isHere),
  );
}

/** Where a sign-in was started; what is not named is `default` at the first base URL. */
function placeOf(found: ReturnType<typeof foundElsewhere>): string | undefined {
  if (found === null) return undefined;
  const { connection = defaultID, origin = "the first base URL" } = found.transaction;
  return `${connection} at ${origin}`;
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
