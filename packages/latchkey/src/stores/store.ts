import type { MaybePromise } from "../maybe-promise.ts";

/**
 * What a store must do: keep short texts under a key until a moment (epoch seconds) and no longer.
 *
 * One small interface for sessions, marks on ended ones and used token ids; every store passes the same tests.
 * An operation that cannot be carried out throws: silence would let ended sessions live.
 */
export interface Store {
  /** The texts under several keys, in one question; `null` where there is none, or where its time has passed. */
  get(keys: readonly string[]): MaybePromise<readonly (string | null)[]>;
  /** Writes, whatever was there. */
  set(key: string, value: string, expiresAt: number): MaybePromise<void>;
  /** Writes only where nothing is; `false` where something was. */
  add(key: string, value: string, expiresAt: number): MaybePromise<boolean>;
  /**
   * Writes only where exactly the expected text lies (compare-and-set); `false` where anything else does, or
   * nothing. So a late write neither revives what was deleted nor undoes what somebody else has written.
   */
  swap(key: string, expected: string, value: string, expiresAt: number): MaybePromise<boolean>;
  delete(key: string): MaybePromise<void>;
  /**
   * The keys that begin with a prefix and whose time has not passed, each once, in no particular order. May look at
   * every key there is: for what people ask for now and then, never for what every request needs.
   */
  list(prefix: string): MaybePromise<readonly string[]>;
  close(): MaybePromise<void>;
}
