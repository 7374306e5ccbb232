import type { Awaitable } from "../awaitable.ts";

/**
 * What a store must do: keep short texts under a key until a moment (epoch seconds) and no longer.
 *
 * One small interface for sessions, ended marks, used token ids and locks; every store passes the same tests.
 * An operation that cannot be carried out throws: silence would let ended sessions live.
 */
export interface Store {
  /** The texts under several keys at once; `null` where there is none, or where its time has passed. */
  get(keys: readonly string[]): Awaitable<readonly (string | null)[]>;
  /** Writes, whatever was there. */
  set(key: string, value: string, expiresAt: number): Awaitable<void>;
  /** Writes only where nothing is; `false` where something was. */
  add(key: string, value: string, expiresAt: number): Awaitable<boolean>;
  /** Writes only where something is; `false` where nothing was. So a late renewal never revives what was deleted. */
  replace(key: string, value: string, expiresAt: number): Awaitable<boolean>;
  delete(key: string): Awaitable<void>;
  /**
   * The keys that begin with a prefix and whose time has not passed, each once, in no particular order. May look at
   * every key there is: for what people ask for now and then, never for what every request needs.
   */
  list(prefix: string): Awaitable<readonly string[]>;
  close(): Awaitable<void>;
}
