import type { SessionLifetime } from "../config/config.ts";
import type { Store } from "../stores/store.ts";
import { type Change, changeRecord, keptUntil } from "./change-record.ts";
import { latestEnd } from "./lifetime.ts";
import type { SessionContent, SessionSeal } from "./seal.ts";
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

export interface SessionRecordsOptions {
  readonly store: Store;
  readonly seal: SessionSeal;
  readonly lifetime: SessionLifetime;
}

export function createSessionRecords(options: SessionRecordsOptions): SessionRecords {
  return {
    write: (content, handle) => writeRecord(options, content, handle),
    adopt: (content, handle) => adoptRecord(options, content, handle),
    replace: (record, content) => ({
      stored: { ...content, record },
      saved: swapRecord(options, record, content),
    }),
    update: (record, change) => updateRecord(options, record, change),
    async remove({ handle }) {
      const { store } = options;
      const key = recordKey(handle);
      await Promise.all([store.delete(key), store.leave(userIndex(handle.subTag), key)]);
    },
    read: (handle) => readRecord(options, handle),
  };
}

async function swapRecord(
  { store, seal }: SessionRecordsOptions,
  { handle, sealed }: SessionRecord,
  content: SessionContent,
): Promise<void> {
  await store.swap(recordKey(handle), sealed, seal.seal(content), keptUntil(content));
}

async function updateRecord(
  options: SessionRecordsOptions,
  { handle, sealed }: SessionRecord,
  change: Change,
): Promise<StoredSession | null> {
  const changed = await changeRecord(options, { key: recordKey(handle), sealed }, change);
  return changed && { ...changed.content, record: { handle, sealed: changed.sealed } };
}

async function writeRecord(
  options: SessionRecordsOptions,
  content: SessionContent,
  handle: SessionHandle,
): Promise<StoredSession> {
  const sealed = options.seal.seal(content);
  await options.store.set(recordKey(handle), sealed, keptUntil(content));
  await joinIndex(options, content, handle);
  return { ...content, record: { handle, sealed } };
}

async function adoptRecord(
  options: SessionRecordsOptions,
  content: SessionContent,
  handle: SessionHandle,
): Promise<void> {
  const { store, seal } = options;
  const isNew = await store.add(recordKey(handle), seal.seal(content), keptUntil(content));
  if (isNew) await joinIndex(options, content, handle);
}

/** After the record: whoever finds a member without a session forgets it. Renewals do not move its end. */
async function joinIndex(
  { store, lifetime }: SessionRecordsOptions,
  { header }: SessionContent,
  handle: SessionHandle,
): Promise<void> {
  await store.join(userIndex(handle.subTag), recordKey(handle), latestEnd(header, lifetime));
}

async function readRecord(
  { store, seal }: SessionRecordsOptions,
  handle: SessionHandle,
): Promise<StoredSession | null> {
  const [sealed] = await store.get([recordKey(handle)]);
  if (sealed == null) return null;
  const content = seal.open(sealed);
  return typeof content === "string" ? null : { ...content, record: { handle, sealed } };
}
