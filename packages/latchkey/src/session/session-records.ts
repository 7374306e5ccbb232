import type { SessionLifetime } from "../config/config.ts";
import { type Change, changeRecord, keptUntil, type SealedStore } from "./change-record.ts";
import { latestEnd } from "./lifetime.ts";
import type { SessionContent } from "./seal.ts";
import type { SessionRecord, StoredSession } from "./session.ts";
import { recordKey, type SessionHandle, userIndex } from "./session-handle.ts";

/** Sessions that live in the store, sealed, each under its handle. */
export interface SessionRecords {
  write(content: SessionContent, handle: SessionHandle): Promise<StoredSession>;
  /**
   * Writes a session that lives in a cookie, with its next use from here on. Another request of the same browser may have
   * done that: what lies there stays.
   */
  adopt(content: SessionContent, handle: SessionHandle): Promise<void>;
  /** Writes new content in the place of what was read; whoever has changed the record meanwhile keeps the last word. */
  replace(record: SessionRecord, content: SessionContent): Promise<void>;
  /**
   * Makes a change to what lies there now, and again where somebody else has changed that meanwhile;
   * `null` where nothing lies there any more.
   */
  update(record: SessionRecord, change: Change): Promise<StoredSession | null>;
  remove(record: Pick<SessionRecord, "handle">): Promise<void>;
  /** What lies under a handle; `null` where nothing does that a key of ours opens. */
  read(handle: SessionHandle): Promise<StoredSession | null>;
}

export interface SessionRecordsOptions extends SealedStore {
  readonly lifetime: SessionLifetime;
}

export function createSessionRecords(options: SessionRecordsOptions): SessionRecords {
  const { store, seal, lifetime } = options;

  /** After the record: whoever finds a member without a session forgets it. Renewals do not move its end. */
  async function joinIndex({ header }: SessionContent, handle: SessionHandle): Promise<void> {
    await store.join(userIndex(handle.subTag), recordKey(handle), latestEnd(header, lifetime));
  }

  return {
    async write(content, handle) {
      const key = recordKey(handle);
      const sealed = seal.seal(content, key);
      await store.set(key, sealed, keptUntil(content));
      await joinIndex(content, handle);
      return { ...content, record: { handle, sealed } };
    },
    async adopt(content, handle) {
      const key = recordKey(handle);
      const isNew = await store.add(key, seal.seal(content, key), keptUntil(content));
      if (isNew) await joinIndex(content, handle);
    },
    async replace({ handle, sealed }, content) {
      const key = recordKey(handle);
      await store.swap(key, sealed, seal.seal(content, key), keptUntil(content));
    },
    async update({ handle, sealed }, change) {
      const changed = await changeRecord(options, { key: recordKey(handle), sealed }, change);
      return changed && { ...changed.content, record: { handle, sealed: changed.sealed } };
    },
    async remove({ handle }) {
      const key = recordKey(handle);
      await Promise.all([store.delete(key), store.leave(userIndex(handle.subTag), key)]);
    },
    async read(handle) {
      const key = recordKey(handle);
      const [sealed] = await store.get([key]);
      if (sealed == null) return null;
      const content = seal.open(sealed, key);
      return typeof content === "string" ? null : { ...content, record: { handle, sealed } };
    },
  };
}
