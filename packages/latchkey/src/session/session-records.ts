import type { SessionLifetime } from "../config/config.ts";
import { type Change, changeRecord, keptUntil, type SealedStore } from "./change-record.ts";
import { markKey } from "./marks/ended-list.ts";
import { latestEnd } from "./lifetime.ts";
import type { SessionContent } from "./seal.ts";
import type { SessionRecord, StoredSession } from "./session.ts";
import { recordKey, type SessionHandle, userIndex } from "./session-handle.ts";

/** Sessions in the store, sealed, each under its handle. */
export interface SessionRecords {
  write(content: SessionContent, handle: SessionHandle): Promise<StoredSession>;
  /**
   * Moves a session from its cookie into the store. If another request was first, its record stays.
   *
   * @returns the session in the store; `null` if it has ended since
   */
  adopt(content: SessionContent, handle: SessionHandle): Promise<StoredSession | null>;
  /** Replaces what was read; if the record has changed meanwhile, it stays. */
  replace(record: SessionRecord, content: SessionContent): Promise<void>;
  /**
   * Changes the current record, and again if another request changed it meanwhile; `null` if it
   * is gone.
   */
  update(record: SessionRecord, change: Change): Promise<StoredSession | null>;
  /**
   * Removes a record and returns what it held; `null` if no key of ours opens it, or there is none.
   */
  remove(handle: SessionHandle): Promise<StoredSession | null>;
  /** The record of a handle; `null` if no key of ours opens it, or there is none. */
  read(handle: SessionHandle): Promise<StoredSession | null>;
}

export interface SessionRecordsOptions extends SealedStore {
  readonly lifetime: SessionLifetime;
}

export function createSessionRecords(options: SessionRecordsOptions): SessionRecords {
  const { store, seal, lifetime } = options;

  /** Comes after the record: members without a record are removed. Renewals do not move its end. */
  async function joinIndex({ header }: SessionContent, handle: SessionHandle): Promise<void> {
    await store.join(userIndex(handle.subTag), recordKey(handle), latestEnd(header, lifetime));
  }

  async function read(handle: SessionHandle): Promise<StoredSession | null> {
    const key = recordKey(handle);
    const [sealed] = await store.get([key]);
    if (sealed == null) return null;
    const content = seal.open(sealed, key);
    return typeof content === "string" ? null : { ...content, record: { handle, sealed } };
  }

  async function remove(handle: SessionHandle): Promise<void> {
    const key = recordKey(handle);
    await Promise.all([store.delete(key), store.leave(userIndex(handle.subTag), key)]);
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
      const sealed = seal.seal(content, key);
      const isNew = await store.add(key, sealed, keptUntil(content));
      const adopted = isNew ? null : await read(handle);
      // Also for the record of an earlier request, whose answer from the store may have been lost.
      if (isNew || adopted !== null) await joinIndex(adopted ?? content, handle);
      if (!isNew) return adopted;
      // An earlier sign-out found no record to remove.
      const [mark] = await store.get([markKey(content.header.id)]);
      if (mark != null) return remove(handle).then(() => null);
      return { ...content, record: { handle, sealed } };
    },
    async replace({ handle, sealed }, content) {
      const key = recordKey(handle);
      await store.swap(key, sealed, seal.seal(content, key), keptUntil(content));
    },
    async update({ handle, sealed }, change) {
      const changed = await changeRecord(options, { key: recordKey(handle), sealed }, change);
      return changed && { ...changed.content, record: { handle, sealed: changed.sealed } };
    },
    async remove(handle) {
      const removed = await read(handle);
      await remove(handle);
      return removed;
    },
    read,
  };
}
