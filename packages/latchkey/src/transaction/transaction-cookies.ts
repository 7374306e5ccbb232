import type { Config } from "../config/config.ts";
import { pendingLoginsAtMost, transactionLifetimeSeconds } from "../config/constants.ts";
import { type KeyRing, openText, sealText } from "../crypto/key-ring.ts";
import { clearCookie, type Cookies, cookieWriter } from "../http/cookies.ts";
import { isCurrent, parseTransaction, type Transaction } from "./transaction.ts";

/** One pending login of this browser: its cookie, and what is in it where that can be read. */
export interface PendingLogin {
  readonly cookieName: string;
  /** `null` where the cookie cannot be read, `"expired"` where it is too old. */
  readonly transaction: Transaction | null | "expired";
}

/**
 * The pending logins of a browser, one cookie each: the plain name for the first, `<name>.<tag of its state>` for
 * further ones, so that several tabs can sign in at the same time and a fault in one touches no other.
 */
export interface TransactionCookies {
  read(cookies: Cookies): Promise<readonly PendingLogin[]>;
  /** The cookies that add a pending login; the oldest goes where there would be too many. */
  add(transaction: Transaction, cookies: Cookies): Promise<readonly string[]>;
  remove(pending: PendingLogin): string;
}

export interface TransactionCookiesParts {
  readonly config: Config;
  readonly keys: () => KeyRing;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export function createTransactionCookies(parts: TransactionCookiesParts): TransactionCookies {
  const { config, keys, clock } = parts;
  const { name, attributes } = config.transactionCookie;
  const writeCookie = cookieWriter(attributes);

  async function readOne(cookieName: string, value: string): Promise<PendingLogin> {
    const opened = openText(keys(), value);
    const transaction = typeof opened === "string" ? null : parseTransaction(opened.text);
    if (transaction === null || isCurrent(transaction, clock())) return { cookieName, transaction };
    return { cookieName, transaction: "expired" };
  }

  async function read(cookies: Cookies): Promise<readonly PendingLogin[]> {
    const names = Object.keys(cookies).filter((each) => isPendingName(each, name));
    return Promise.all(names.map((each) => readOne(each, cookies[each] ?? "")));
  }

  return {
    read,
    async add(transaction, cookies) {
      const pending = await read(cookies);
      const cookieName = pending.some((each) => each.cookieName === name && isLive(each))
        ? `${name}.${tagOf(transaction.state)}`
        : name;
      const sealed = sealText(keys(), {}, JSON.stringify(transaction));
      const expires = Math.floor(clock() / 1000) + transactionLifetimeSeconds;
      return [
        writeCookie(cookieName, sealed, expires),
        ...superfluous(pending)
          .filter((each) => each.cookieName !== cookieName)
          .map((each) => clearCookie(each.cookieName, attributes)),
      ];
    },
    remove: ({ cookieName }) => clearCookie(cookieName, attributes),
  };
}

/** Enough of the state to tell pending logins apart; the rest of it stays a secret of the cookie. */
function tagOf(state: string): string {
  return state.slice(0, 8);
}

function isPendingName(candidate: string, name: string): boolean {
  return (
    candidate === name ||
    (candidate.startsWith(`${name}.`) && /^[\w-]{8}$/.test(candidate.slice(name.length + 1)))
  );
}

function isLive({ transaction }: PendingLogin): boolean {
  return transaction !== null && transaction !== "expired";
}

/** Dead ones, and the oldest of the living, so that one more makes no more than is allowed. */
function superfluous(pending: readonly PendingLogin[]): readonly PendingLogin[] {
  const living = pending.filter(isLive).toSorted((one, other) => startOf(one) - startOf(other));
  const dead = pending.filter((each) => !isLive(each));
  return [...dead, ...living.slice(0, Math.max(0, living.length - pendingLoginsAtMost + 1))];
}

function startOf({ transaction }: PendingLogin): number {
  return transaction === null || transaction === "expired" ? 0 : transaction.started;
}
