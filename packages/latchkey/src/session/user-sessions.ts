import { readTexts } from "../stores/read-texts.ts";
import { type Change, changeRecord, keptUntil, type SealedStore } from "./change-record.ts";
import { markKeys } from "./marks/ended-list.ts";
import type { SessionWithMarks } from "./read-session.ts";
import type { SessionContent } from "./seal.ts";
import type { StoredSession } from "./session.ts";
import { endedRecordKey, userIndex } from "./session-handle.ts";

/** A session as it was found in the store. */
export interface SessionInStore extends SessionWithMarks {
  readonly key: string;
  /** What lies there. */
  readonly sealed: string;
}

/** The sessions of one user, wherever they signed in. Only sessions in the store can be found. */
export interface UserSessions {
  /** All readable ones, with the marks on them: some may have ended. */
  list(subTag: string): Promise<readonly SessionInStore[]>;
  /**
   * Removes sessions from the store, and remembers for their browsers that another device did it.
   */
  remove(found: readonly SessionInStore[]): Promise<void>;
  /** Changes a session without using it; `null` if it has ended meanwhile. */
  change(found: SessionInStore, change: Change): Promise<SessionInStore | null>;
}

export function createUserSessions({ seal, store }: SealedStore): UserSessions {
  async function find(key: string, sealed: string | null | undefined, subTag: string) {
    if (sealed == null) return [];
    const content = seal.open(sealed, key);
    // The key names the user: a record of another user does not belong there.
    if (typeof content === "string" || content.header.subTag !== subTag) return [];
    const marks = await readTexts(store, markKeys(content.header));
    return [{ key, sealed, stored: withoutRecord(content), marks }];
  }

  return {
    async list(subTag) {
      const keys = await store.members(userIndex(subTag));
      const values = await store.get(keys);
      // An expired session stays in the index until its own end: a clock may be wrong for a moment.
      const found = keys.map((key, place) => find(key, values[place], subTag));
      return (await Promise.all(found)).flat();
    },
    async remove(found) {
      const removals = found.map(async ({ key, stored }) => {
        const { subTag } = stored.header;
        await store.set(endedRecordKey(key), "", keptUntil(stored));
        await store.delete(key);
        await store.leave(userIndex(subTag), key);
      });
      await Promise.all(removals);
    },
    async change(found, change) {
      const changed = await changeRecord({ store, seal }, found, change);
      return (
        changed && { ...found, sealed: changed.sealed, stored: withoutRecord(changed.content) }
      );
    },
  };
}

/** Only its browser knows the handle of a session found by its user. */
function withoutRecord(content: SessionContent): StoredSession {
  return { ...content, record: null };
}
