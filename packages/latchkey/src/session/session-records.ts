import type { SessionLifetime } from "../config/config.ts";
import { Refusal } from "../errors/refusal.ts";
import type { Store } from "../stores/store.ts";
import { latestEnd } from "./lifetime.ts";
import type { SessionContent, SessionSeal } from "./seal.ts";
import type { SessionData, SessionRecord, StoredSession } from "./session.ts";
import { recordKey, type SessionHandle, userIndex } from "./session-handle.ts";

/** Sessions that live in the store, sealed, each under its handle. */
export interface SessionRecords {
  write(content: SessionContent, handle: SessionHandle): Promise<StoredSession>;
  /**
   * Writes new content in the place of what was read; whoever has changed the record meanwhile keeps the
   * last word. Returns synchronously; `saved` settles when the store has it.
   */
  replace(record: SessionRecord, content: SessionContent): Replaced;
  /**
   * Makes a change to what lies there now, and again where somebody else has changed that meanwhile;
   * `null` where nothing lies there any more.
   */
  update(record: SessionRecord, change: Change): Promise<StoredSession | null>;
  remove(record: Pick<SessionRecord, "handle">): Promise<void>;
  /** What lies under a handle; `null` where nothing does that a key of ours opens. */
  read(handle: SessionHandle): Promise<StoredSession | null>;
}

export interface Replaced {
  readonly stored: StoredSession;
  readonly saved: Promise<unknown>;
}

/** Returns what a session holds from then on; `null` leaves it as it is. */
export type Change = (content: SessionContent) => Promise<SessionContent | null>;

/** A session that is over is kept for so many seconds: an open page asks why it has ended, and the audit whose it was. */
const keptWhenOver = 600;

/** A change is tried so often before somebody else's changes count as a fault of the store. */
const triesAtMost = 100;

export interface SessionRecordsOptions {
  readonly store: Store;
  readonly seal: SessionSeal;
  readonly lifetime: SessionLifetime;
}

export function createSessionRecords(options: SessionRecordsOptions): SessionRecords {
  const { store, seal } = options;

  async function swap(
    { handle, sealed }: SessionRecord,
    content: SessionContent,
  ): Promise<StoredSession | null> {
    const next = seal.seal(content);
    const result = await store.swap(
      recordKey(handle),
      sealed,
      next,
      content.header.exp + keptWhenOver,
    );
    return result === "done" ? { ...content, record: { handle, sealed: next } } : null;
  }

  async function update(
    record: SessionRecord,
    change: Change,
    triesLeft = triesAtMost,
  ): Promise<StoredSession | null> {
    const content = seal.open(record.sealed);
    if (content === "unknown-key") {
      throw new Refusal("store_unavailable", {
        detail: "a session was sealed with an unknown key",
      });
    }
    if (typeof content === "string") return null;
    const changed = await change(content);
    if (changed === null) return { ...content, record };
    // Whoever was quicker has made the same change, and renewed the session.
    if (triesLeft < triesAtMost && isSame(changed.data, content.data))
      return { ...content, record };
    const updated = await swap(record, changed);
    if (updated !== null) return updated;
    if (triesLeft === 0) {
      throw new Refusal("store_unavailable", { detail: "a session was changed again and again" });
    }
    const [sealed] = await store.get([recordKey(record.handle)]);
    return sealed == null ? null : update({ ...record, sealed }, change, triesLeft - 1);
  }

  return {
    write: (content, handle) => writeRecord(options, content, handle),
    replace: (record, content) => ({
      stored: { ...content, record },
      saved: swap(record, content),
    }),
    update,
    async remove({ handle }) {
      const key = recordKey(handle);
      await Promise.all([store.delete(key), store.leave(userIndex(handle.subTag), key)]);
    },
    read: (handle) => readRecord(options, handle),
  };
}

function isSame(one: SessionData, other: SessionData): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function writeRecord(
  { store, seal, lifetime }: SessionRecordsOptions,
  content: SessionContent,
  handle: SessionHandle,
): Promise<StoredSession> {
  const sealed = seal.seal(content);
  const key = recordKey(handle);
  await store.set(key, sealed, content.header.exp + keptWhenOver);
  // Afterwards: whoever finds a member without a session forgets it. Renewals do not move its end.
  await store.join(userIndex(handle.subTag), key, latestEnd(content.header, lifetime));
  return { ...content, record: { handle, sealed } };
}

async function readRecord(
  { store, seal }: SessionRecordsOptions,
  handle: SessionHandle,
): Promise<StoredSession | null> {
  const [sealed] = await store.get([recordKey(handle)]);
  const content = sealed == null ? null : seal.open(sealed);
  if (sealed == null || content === null || typeof content === "string") return null;
  return { ...content, record: { handle, sealed } };
}
