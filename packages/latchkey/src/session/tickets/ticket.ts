import { sha256 } from "../../crypto/digest.ts";
import { openJSON, sealJSON } from "../../crypto/jwe.ts";
import { bindKeyRing, type KeyRing } from "../../crypto/key-ring.ts";
import { leaseOwner } from "../../stores/store.ts";
import type { SessionContent } from "../seal.ts";
import type { ClientRegistration } from "../session-handle.ts";
import { isRefreshResult, type RefreshResult } from "./refresh-result.ts";

/** Stands for the one spending of a refresh token. Whoever holds its lease may send the token. */
export interface Ticket {
  /** Where it lies in the store; tells nothing of the token. */
  readonly key: string;
  readonly refreshToken: string;
}

/** Nobody has sent it. */
export const unspent = { state: "unspent" } as const;

/** Somebody holds the lease. */
export const spending = { state: "spending" } as const;

/** What has become of a refresh token. */
export type TicketState =
  | typeof unspent
  | typeof spending
  | { readonly state: "done"; readonly result: RefreshResult }
  /** The provider refused it; since so many epoch milliseconds. */
  | { readonly state: "dead"; readonly since: number };

/**
 * The ticket of a session's refresh token; `null` where it has none. The generation is part of it, since a
 * provider that does not rotate refresh tokens gives the same one again.
 */
export function ticketOf(
  { issuer, client }: ClientRegistration,
  { header: { generation = 0 }, data: { refreshToken } }: SessionContent,
): Ticket | null {
  if (refreshToken === undefined) return null;
  return new LazyTicket(refreshToken, [issuer, client, refreshToken, generation]);
}

/** Every request has a ticket, and few need its key. */
class LazyTicket implements Ticket {
  readonly refreshToken: string;
  readonly #names: readonly (string | number)[];
  #key: string | undefined;

  constructor(refreshToken: string, names: readonly (string | number)[]) {
    this.refreshToken = refreshToken;
    this.#names = names;
  }

  get key(): string {
    return (this.#key ??= `refresh|${sha256(JSON.stringify(this.#names))}`);
  }
}

/**
 * The text of a ticket that is done. It is sealed with the app's key and the refresh token that was spent: a reader
 * of the store has neither, and whoever holds that token might have spent it.
 */
export function doneText(
  keys: KeyRing,
  { refreshToken }: Ticket,
  { result, at }: { readonly result: RefreshResult; readonly at: number },
): string {
  return `${donePrefix}${at} ${sealJSON(bindKeyRing(keys, refreshToken), result)}`;
}

/** When a ticket was done, in epoch milliseconds; `null` for any other text. */
export function doneAt(text: string): number | null {
  const [state, at] = text.split(" ", 2);
  return `${state} ` === donePrefix ? Number(at) : null;
}

export function deadText(since: number): string {
  return deadPrefix + since;
}

/** The same result, once somebody has come with the tokens that it brought; `null` where that is known. */
export function arrivedText(text: string): string | null {
  return text.startsWith(donePrefix) ? arrivedPrefix + text.slice(donePrefix.length) : null;
}

export function isArrived(text: string): boolean {
  return text.startsWith(arrivedPrefix);
}

/** Reads the text of a ticket. One that cannot be read leaves the token unspent: the provider has the last word. */
export function stateIn(keys: () => KeyRing, ticket: Ticket, text: string | null): TicketState {
  if (text === null) return unspent;
  if (leaseOwner(text) !== null) return spending;
  if (text.startsWith(deadPrefix)) {
    return { state: "dead", since: Number(text.slice(deadPrefix.length)) };
  }
  const [, , sealed = ""] = text.split(" ", 3);
  const result = openJSON(bindKeyRing(keys(), ticket.refreshToken), sealed);
  return isRefreshResult(result) ? { state: "done", result } : unspent;
}

const donePrefix = "done ";
const arrivedPrefix = "seen ";
const deadPrefix = "dead ";
