import type { StoreFault } from "../config/telemetry/log-event.ts";
import type { StoreKind } from "../config/telemetry/telemetry.ts";
import type { MaybePromise } from "../maybe-promise.ts";

/**
 * What a store must do: keep short texts under a key until a moment (epoch seconds, by the clock of this machine) and no longer.
 * One on another machine keeps them for as long as is left until then, by its own clock.
 *
 * One small interface for sessions, marks on ended ones and used token ids; every store passes the same tests.
 * An operation that cannot be carried out throws: silence would let ended sessions live.
 */
export interface Store {
  /** As telemetry calls it; a store of an app has none. */
  readonly kind?: StoreKind;
  /** The texts under several keys, in one question; `null` where there is none, or where its time has passed. */
  get(keys: readonly string[]): MaybePromise<readonly (string | null)[]>;
  /** Writes, whatever was there. */
  set(key: string, value: string, expiresAt: number): MaybePromise<void>;
  /** Writes only where nothing is; `false` where something was. */
  add(key: string, value: string, expiresAt: number): MaybePromise<boolean>;
  /**
   * Writes only where exactly the expected text lies (compare-and-set). So a late write neither revives what was
   * deleted nor undoes what somebody else has written. A repeat is harmless: where the new text lies already,
   * because the reply to the first call was lost, nothing is written and the result is `done`.
   */
  swap(key: string, expected: string, value: string, expiresAt: number): MaybePromise<SwapResult>;
  /** Does nothing where nothing is. */
  delete(key: string): MaybePromise<void>;
  /**
   * Grants a key to one owner for so many milliseconds, counted by the store's clock; `false` where a text or a
   * lease lies there. `get` returns the text of a lease, which `leaseOwner` tells from a settled value.
   *
   * @param owner unique to the attempt, so that a late one is told from a newer
   */
  lease(key: string, owner: string, ms: number): MaybePromise<boolean>;
  /** Gives a lease back; changes nothing where the key is not leased to this owner. */
  release(key: string, owner: string): MaybePromise<void>;
  /**
   * Puts a value in the place of a lease, for so many milliseconds by the store's clock; `false` where the key is
   * not leased to this owner any more. A repeat is harmless, as with `swap`.
   */
  settle(key: string, owner: string, value: string, ms: number): MaybePromise<boolean>;
  /** Makes a key a member of an index until a moment (epoch seconds), whether anything lies under the key or not. */
  join(index: string, key: string, expiresAt: number): MaybePromise<void>;
  /** Takes a key out of an index; does nothing where it is no member. */
  leave(index: string, key: string): MaybePromise<void>;
  /** The members of an index whose time has not passed, each once, in no particular order; looks at no others. */
  members(index: string): MaybePromise<readonly string[]>;
  /**
   * The time by the store's clock, in epoch milliseconds. For a store on another machine: where it agrees with the provider that
   * the clock of an instance is wrong, it counts there.
   */
  now?(): MaybePromise<number>;
  /** What an error of an operation tells; `undefined` where the store does not know it. */
  readonly faultOf?: (error: Error) => StoreFault | undefined;
  /** What an operator should change at the store, one sentence each; asked once, at start. */
  warnings?(): MaybePromise<readonly string[]>;
  /** Ends what the store itself holds open, a file or a timer; a client that it was given stays open. */
  close(): MaybePromise<void>;
}

/** What every store can be asked, beside being closed. */
export const storeOperations = [
  "get",
  "set",
  "add",
  "swap",
  "delete",
  "lease",
  "release",
  "settle",
  "join",
  "leave",
  "members",
] as const satisfies readonly (keyof Store)[];

/** How long is left until a moment (epoch seconds, by the clock of this machine), in milliseconds. */
export function msUntil(expiresAt: number): number {
  return expiresAt * 1000 - Date.now();
}

/** `done`: the new text lies there; `changed`: another text does; `absent`: nothing does. */
export type SwapResult = "done" | "changed" | "absent";

/** The text that lies under a leased key, until its owner settles or releases it. */
export function leaseText(owner: string): string {
  return leasePrefix + owner;
}

/** Who holds the lease that `get` has found; `null` where the text is a settled value. */
export function leaseOwner(text: string): string | null {
  return text.startsWith(leasePrefix) ? text.slice(leasePrefix.length) : null;
}

const leasePrefix = "lease ";
