import type { Observer } from "../telemetry/telemetry.ts";
import { transactionsAtMost, transactionLifetimeSeconds } from "../config/constants.ts";
import { type Config, forCrossSiteForm } from "../config/config.ts";
import { nowSeconds } from "../config/runtime.ts";
import { openNamed } from "../config/sealed-names.ts";
import { clearCookie, clearedAtMost, type Cookies, setCookie } from "../http/cookies.ts";
import { sealHere, type Sealing } from "./sealing.ts";
import { isCurrent, parseTransaction, type Transaction } from "./transaction.ts";

/** The cookie of one transaction, and its content if it is readable. */
export interface TransactionCookie {
  readonly name: string;
  /**
   * `expired`: too old; `unreadable`: changed; `foreign`: sealed with another key; `unbound`: the
   * browser did not send the companion cookie.
   */
  readonly transaction: Transaction | "expired" | "unreadable" | "foreign" | "unbound";
}

/**
 * The transactions of a browser, one cookie each: the plain name for the first,
 * `<name>.<tag of its state>` for others. So several tabs can sign in at the same time, and a fault
 * in one affects no other. A sister host can set cookies for the whole domain, but none with the
 * `__Host-` prefix (RFC 6265bis, section 4.1.3.2). On https each transaction is therefore bound to
 * such a cookie, and a planted one is void.
 */
export interface TransactionCookies {
  read(cookies: Cookies): readonly TransactionCookie[];
  /**
   * Returns the `Set-Cookie` values that add a transaction. The oldest one is cleared at the limit.
   *
   * @param isPosted - whether the response arrives with a form of the provider; by default it does
   *   not
   */
  add(transaction: Transaction, cookies: Cookies, isPosted?: boolean): readonly string[];
  remove(cookie: TransactionCookie): string;
}

export interface TransactionCookiesOptions extends Sealing {
  readonly measure?: Observer["measure"];
  readonly randomText: (bytes: number) => string;
}

const bindingForm = /^[\w-]{22}$/;

export function createTransactionCookies(options: TransactionCookiesOptions): TransactionCookies {
  const { config, keys, measure, clock, randomText } = options;
  const { name, attributes, queryAttributes, binding } = config.transactionCookie;

  function open(value: string, cookies: Cookies): TransactionCookie["transaction"] {
    const opened = openNamed(keys, value);
    if (opened === "unknown-key") return "foreign";
    const transaction = opened === "malformed" ? null : parseTransaction(opened.text);
    if (transaction === null) return "unreadable";
    if (!isCurrent(transaction, clock())) return "expired";
    if (binding === null) return transaction;
    const bound = bindingIn(cookies, binding.name);
    return bound !== undefined && transaction.binding === bound ? transaction : "unbound";
  }

  function read(cookies: Cookies): readonly TransactionCookie[] {
    return Object.entries(cookies)
      .filter(([each]) => isTransactionName(each, name))
      .map(([each, value = ""]) => ({ name: each, transaction: open(value, cookies) }));
  }

  return {
    read,
    add(transaction, cookies, isPosted = false) {
      const present = read(cookies);
      const isTaken = present.some((each) => each.name === name && isKept(each));
      const cookieName = isTaken ? `${name}.${tagOf(transaction.state)}` : name;
      const expires = nowSeconds(options) + transactionLifetimeSeconds;
      // All pending logins have the same companion.
      const isForForm = isPosted || present.some((each) => isLookedUp(config, each));
      const companion = binding && {
        name: binding.name,
        attributes: isForForm ? forCrossSiteForm(binding.attributes) : binding.attributes,
        value: bindingIn(cookies, binding.name) ?? randomText(16),
      };
      const text = JSON.stringify({ ...transaction, binding: companion?.value });
      const sealed = sealHere(options, text, transaction.connection);
      measure?.({ of: "cookie-size", cookie: "pending", bytes: sealed.length });
      return [
        setCookie(
          cookieName,
          sealed,
          isPosted ? forCrossSiteForm(queryAttributes) : queryAttributes,
          expires,
        ),
        ...(companion === null
          ? []
          : [setCookie(companion.name, companion.value, companion.attributes, expires)]),
        ...superfluous(present)
          .filter((each) => each.name !== cookieName)
          .map((each) => clearCookie(each.name, attributes)),
      ];
    },
    remove: (cookie) => clearCookie(cookie.name, attributes),
  };
}

/** Whether a pending login is at a connection of which the settings do not know if it posts. */
function isLookedUp({ connections }: Config, { transaction }: TransactionCookie): boolean {
  if (typeof transaction === "string" || transaction.connection === undefined) return false;
  return !Object.hasOwn(connections, transaction.connection);
}

/** Returns the browser's companion value; `undefined` without one in our format. */
function bindingIn(cookies: Cookies, name: string): string | undefined {
  const value = cookies[name] ?? "";
  return bindingForm.test(value) ? value : undefined;
}

/** A part of the state, enough to distinguish transactions. The rest stays secret in the cookie. */
function tagOf(state: string): string {
  return state.slice(0, 8);
}

function isTransactionName(candidate: string, name: string): boolean {
  return (
    candidate === name ||
    (candidate.startsWith(`${name}.`) && /^[\w-]{8}$/.test(candidate.slice(name.length + 1)))
  );
}

/** Current transactions, and those of another app on this host: neither is ours to overwrite. */
function isKept(cookie: TransactionCookie): boolean {
  return isFinishable(cookie) || cookie.transaction === "foreign";
}

/**
 * Returns the transactions to clear: those that can never finish, and the oldest of the others at
 * the limit.
 */
function superfluous(present: readonly TransactionCookie[]): readonly TransactionCookie[] {
  const current = present
    .filter(isFinishable)
    .toSorted((one, other) => one.transaction.started - other.transaction.started);
  const useless = present.filter((each) => !isKept(each));
  return [
    ...useless.slice(0, clearedAtMost),
    ...current.slice(0, Math.max(0, current.length - transactionsAtMost + 1)),
  ];
}

function isFinishable(
  cookie: TransactionCookie,
): cookie is TransactionCookie & { readonly transaction: Transaction } {
  return typeof cookie.transaction === "object";
}
