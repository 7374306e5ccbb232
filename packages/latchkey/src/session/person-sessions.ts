import type { Store } from "../stores/store.ts";
import type { Party } from "./ended-list.ts";
import type { SessionSeal } from "./session-seal.ts";
import type { StoredSession } from "./session.ts";
import { endedKey, personPrefix, personTag } from "./stored-keys.ts";

/** A session as it was found in the store. */
export interface FoundSession {
  readonly key: string;
  readonly session: StoredSession;
}

/** The sessions of one person, wherever they signed in. Only sessions that live in a store can be found so. */
export interface PersonSessions {
  /** All that can be opened, also those that have ended before their time. */
  list(sub: string): Promise<readonly FoundSession[]>;
  /** Takes sessions out of the store, and remembers for their browsers that it was done from elsewhere. */
  remove(found: readonly FoundSession[]): Promise<void>;
}

export interface PersonSessionsParts {
  readonly party: Party;
  readonly seal: SessionSeal;
  readonly store: Store;
}

export function personSessions({ party, seal, store }: PersonSessionsParts): PersonSessions {
  return {
    async list(sub) {
      const names = await store.list(personPrefix(await personTag(party, sub)));
      const values = await store.get(names);
      const opened = names.map(async (key, place) => {
        const session = await seal.open(values[place] ?? "");
        // An app may have put another person into a session: then it is not this person's any more.
        return session?.data.user.sub === sub ? [{ key, session }] : [];
      });
      return (await Promise.all(opened)).flat();
    },
    async remove(found) {
      const removals = found.map(async ({ key, session }) => {
        await store.set(endedKey(key), "", session.header.exp);
        await store.delete(key);
      });
      await Promise.all(removals);
    },
  };
}
