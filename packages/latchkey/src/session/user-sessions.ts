import { type Change, changeRecord, type SealedStore } from "./change-record.ts";
import { laterEndIn, markKeys } from "./ends/ended-list.ts";
import type { LaterEnd } from "./ends/later-end.ts";
import type { MarkedSession } from "./read-session.ts";
import type { SessionContent } from "./seal.ts";
import type { StoredSession } from "./session.ts";
import { endedRecordKey, userIndex } from "./session-handle.ts";

/** A session as it was found in the store. */
export interface FoundSession extends MarkedSession {
  readonly key: string;
  /** What lies there. */
  readonly sealed: string;
  /** Where it ends, or has ended, at a moment that was set before. */
  readonly laterEnd: LaterEnd | null;
}

/** The sessions of one user, wherever they signed in. Only sessions that live in the store can be found so. */
export interface UserSessions {
  /** All that can be opened, with the marks on them: some may have ended. */
  list(subTag: string): Promise<readonly FoundSession[]>;
  /** Takes sessions out of the store, and remembers for their browsers that it was done from elsewhere. */
  remove(found: readonly FoundSession[]): Promise<void>;
  /** Changes a session without using it; `null` where it has ended meanwhile. */
  change(found: FoundSession, change: Change): Promise<FoundSession | null>;
}

export function createUserSessions({ seal, store }: SealedStore): UserSessions {
  async function find(key: string, sealed: string, subTag: string): Promise<FoundSession[]> {
    const content = seal.open(sealed, key);
    // The key names the user; a record that says otherwise was put there by somebody else.
    if (typeof content === "string" || content.header.subTag !== subTag) return [];
    const marks = await store.get(markKeys(content.header));
    const laterEnd = laterEndIn(marks);
    return [{ key, sealed, stored: withoutRecord(content), marks, laterEnd }];
  }

  /** A session that ended without use leaves the index when somebody looks. */
  async function findOrForget(key: string, sealed: string | null | undefined, subTag: string) {
    if (sealed != null) return find(key, sealed, subTag);
    await store.leave(userIndex(subTag), key);
    return [];
  }

  return {
    async list(subTag) {
      const keys = await store.members(userIndex(subTag));
      const values = await store.get(keys);
      const found = keys.map((key, place) => findOrForget(key, values[place], subTag));
      return (await Promise.all(found)).flat();
    },
    async remove(found) {
      const removals = found.map(async ({ key, stored }) => {
        const { exp, subTag } = stored.header;
        await store.set(endedRecordKey(key), "", exp);
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

/** The handle of a session that was found by its user is known to its browser alone. */
function withoutRecord(content: SessionContent): StoredSession {
  return { ...content, record: null };
}
