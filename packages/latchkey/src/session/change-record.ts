import { rollingDurationSeconds } from "../config/constants.ts";
import { Refusal } from "../errors/refusal.ts";
import type { Store } from "../stores/store.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";
import { resealSeconds } from "./lifetime.ts";
import type { SessionContent, SessionSeal } from "./seal.ts";
import type { SessionData } from "./session.ts";

/**
 * Seconds for which an expired session is kept: open pages and the audit learn why it ended and
 * whose it was.
 */
const keptWhenOver = 600;
/** The same for a shared computer: as long as an ordinary session lives without use. */
const keptWhenShared = rollingDurationSeconds;

/**
 * Until when a session lies in the store, in epoch seconds: its record may not have its last use.
 */
export function keptUntil({ header }: SessionContent): number {
  return header.exp + resealSeconds + (header.shared === true ? keptWhenShared : keptWhenOver);
}

/**
 * Returns what a session holds from then on; `null` leaves it as it is. Called again if another
 * request changed it meanwhile.
 */
export type Change = (content: SessionContent) => Promise<SessionContent | null>;

/** The same for the data alone; it may change what it is given. */
export type DataChange = (data: SessionData) => MaybePromise<SessionData>;

/** The store of sessions, and their seal. */
export interface SealedStore {
  readonly store: Store;
  readonly seal: SessionSeal;
}

/** After this many tries, changes by others count as a fault of the store. */
const triesAtMost = 100;

/**
 * Changes a session by compare-and-set, and again if another request changed it meanwhile.
 *
 * @param sealed - as it was read last
 * @returns the record from then on; `null` if it is gone
 * @throws {Refusal} `store_unavailable`
 */
export async function changeRecord(
  place: SealedStore,
  { key, sealed }: { readonly key: string; readonly sealed: string },
  change: Change,
  triesLeft = triesAtMost,
): Promise<{ readonly content: SessionContent; readonly sealed: string } | null> {
  const { store, seal } = place;
  const content = seal.open(sealed, key);
  if (content === "unknown-key") {
    throw new Refusal("store_unavailable", { detail: "a session was sealed with an unknown key" });
  }
  if (typeof content === "string") return null;
  const changed = await change(content);
  if (changed === null) return { content, sealed };
  // A quicker request made the same change, and renewed the session.
  if (triesLeft < triesAtMost && isSame(changed.data, content.data)) return { content, sealed };
  const next = seal.seal(changed, key);
  const result = await store.swap(key, sealed, next, keptUntil(changed));
  if (result === "done") return { content: changed, sealed: next };
  if (triesLeft === 0) {
    throw new Refusal("store_unavailable", { detail: "a session was changed again and again" });
  }
  const [newer] = await store.get([key]);
  return newer == null ? null : changeRecord(place, { key, sealed: newer }, change, triesLeft - 1);
}

function isSame(one: SessionData, other: SessionData): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
