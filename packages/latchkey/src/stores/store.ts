import type { StoreFault } from "../telemetry/log-event.ts";
import type { StoreKind } from "../telemetry/telemetry.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";

/**
 * A store keeps short texts under a key until a moment (epoch seconds, by the clock of this
 * machine) and no longer. A store on another machine keeps them for the remaining time, by its own
 * clock.
 * One small interface for sessions, marks on ended ones and used token ids; every store passes the
 * same tests. A failed operation throws: ended sessions would live otherwise.
 */
export interface Store {
  /** As telemetry calls it; a store of an app has none. */
  readonly kind?: StoreKind;
  /**
   * Returns the texts under several keys, in one round trip; `null` for a missing or expired one.
   */
  get(keys: readonly string[]): MaybePromise<readonly (string | null)[]>;
  /** Writes, whatever was there. */
  set(key: string, value: string, expiresAt: number): MaybePromise<void>;
  /** Writes only under a free key; `false` if there was a text. */
  add(key: string, value: string, expiresAt: number): MaybePromise<boolean>;
  /**
   * Writes only over the expected text (compare-and-set), so a late write neither revives a deleted
   * text nor overwrites another write. A repeat is harmless: if the new text is there already,
   * because the first answer was lost, nothing is written and the result is `done`.
   */
  swap(key: string, expected: string, value: string, expiresAt: number): MaybePromise<SwapResult>;
  /** Does nothing for a missing key. */
  delete(key: string): MaybePromise<void>;
  /**
   * Leases a key to one owner for some milliseconds, by the store's clock; `false` if there is a
   * text or a lease. `get` returns the text of a lease, with its owner.
   *
   * @param owner - unique for each attempt, which distinguishes a late one from a newer. After a
   *   lost answer the same owner tries again, and `get` says whether the lease is its own.
   */
  lease(key: string, owner: string, ms: number): MaybePromise<boolean>;
  /** Releases a lease; does nothing if the key is not leased to this owner. */
  release(key: string, owner: string): MaybePromise<void>;
  /** Adds a key to an index until a moment (epoch seconds), whether or not the key exists. */
  join(index: string, key: string, expiresAt: number): MaybePromise<void>;
  /** Removes a key from an index; does nothing for an absent one. */
  leave(index: string, key: string): MaybePromise<void>;
  /** Returns the current members of an index, each once, in any order. */
  members(index: string): MaybePromise<readonly string[]>;
  /** Returns the fault for an error of an operation; `undefined` if the store does not know it. */
  readonly faultOf?: (error: Error) => StoreFault | undefined;
  /** Returns advice for the operator of the store, one sentence each; called once, at the start. */
  warnings?(): MaybePromise<readonly string[]>;
  /** Closes the store's own resources, a file or a timer; a given client stays open. */
  close(): MaybePromise<void>;
}

/** The operations of every store, beside `close`. */
export const storeOperations = [
  "get",
  "set",
  "add",
  "swap",
  "delete",
  "lease",
  "release",
  "join",
  "leave",
  "members",
] as const satisfies readonly (keyof Store)[];

/** Returns the milliseconds until a moment (epoch seconds, by the clock of this machine). */
export function msUntil(expiresAt: number): number {
  return expiresAt * 1000 - Date.now();
}

/** `done`: the new text lies there; `changed`: another text does; `absent`: nothing does. */
export type SwapResult = "done" | "changed" | "absent";

/** The text under a leased key, until its owner releases it. */
export function leaseText(owner: string): string {
  return `lease ${owner}`;
}
