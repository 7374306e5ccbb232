import { transactionLifetimeSeconds } from "../config/constants.ts";
import type { Clocks } from "../time/deadline.ts";
import { createRecentMap } from "../time/recent-map.ts";
import type { Answer } from "./answer.ts";
import type { Transaction } from "./transaction.ts";

/** Where a sign-in leads, and with whom; see `Connection.named`. */
export interface Destination {
  readonly returnTo: string | undefined;
  readonly connection: string | undefined;
}

/** What this process knows of recent transactions, by their `state`. */
export interface RecentTransactions {
  /** Random; names this process, so that a transaction says which instance began it. */
  readonly instance: string;
  /**
   * Remembers the destination of a transaction, for a browser without its cookie: tabs with a
   * simultaneous start write the same cookie, so all but one lose their transaction.
   */
  rememberDestination(
    transaction: Pick<Transaction, "state" | "returnTo">,
    connection: string | undefined,
  ): void;
  /** A destination proves nothing. */
  destinationOf(state: string): Destination | undefined;
  /** Remembers what becomes of an authorization response; `false` if there was one already. */
  addAnswer(state: string, answer: Answer): boolean;
  answerTo(state: string): Answer | undefined;
}

/** Longer ones are not worth the memory. A browser without its transaction then goes home. */
const longestRemembered = 512;

export function createRecentTransactions({
  instance,
  ...clocks
}: Clocks & Pick<RecentTransactions, "instance">): RecentTransactions {
  const keepMs = transactionLifetimeSeconds * 1000;
  const answers = createRecentMap<Answer>({ ...clocks, keepMs, atMost: 10_000 });
  const destinations = createRecentMap<Destination>({ ...clocks, keepMs, atMost: 2000 });
  return {
    instance,
    rememberDestination({ state, returnTo }, connection) {
      const isShort = returnTo.length <= longestRemembered;
      if (!isShort && connection === undefined) return;
      destinations.add(state, { connection, returnTo: isShort ? returnTo : undefined });
    },
    destinationOf: destinations.get,
    addAnswer: answers.add,
    answerTo: answers.get,
  };
}
