import type { Awaitable } from "../awaitable.ts";
import type { KeyRing } from "../crypto/keys.ts";
import type { Cookies } from "../http/cookies.ts";
import type { Store } from "../stores/store.ts";
import type { Party } from "./ended-list.ts";
import { openSession, sealSession } from "./sealed-session.ts";
import type { SessionCookie } from "./session-cookie.ts";
import type { SessionStorage } from "./storage.ts";
import {
  endedKey,
  personTag,
  readTicket,
  sessionKey,
  type Ticket,
  writeTicket,
} from "./stored-keys.ts";

export interface StoreStorageParts {
  readonly name: string;
  readonly cookie: SessionCookie;
  readonly party: Party;
  readonly keys: () => Awaitable<KeyRing>;
  readonly store: Store;
  /** A new unguessable name, at least 128 bits. */
  readonly newHandle: () => string;
}

/**
 * Sessions that live in a store. The cookie holds the person's tag and a random handle; the store holds the sealed
 * session under the tag and the handle's hash, so that who reads the store can neither read a session nor use one.
 */
export function storeStorage(parts: StoreStorageParts): SessionStorage {
  const { name, cookie, party, keys, store, newHandle } = parts;
  const ticketIn = (cookies: Cookies): Ticket | null => readTicket(cookies[name]);

  return {
    async load(cookies) {
      if (cookies[name] === undefined || cookies[name] === "") return null;
      const ticket = ticketIn(cookies);
      if (ticket === null) return "unreadable";
      const key = await sessionKey(ticket);
      const [sealed] = await store.get([key]);
      if (sealed == null) return whyMissing(store, key);
      return (await openSession(await keys(), party, sealed)) ?? "unreadable";
    },
    async create(session, cookies) {
      const old = ticketIn(cookies);
      if (old !== null) await store.delete(await sessionKey(old));
      const ticket = { tag: await personTag(party, session.data.user.sub), handle: newHandle() };
      const { exp } = session.header;
      await store.set(await sessionKey(ticket), await sealSession(await keys(), session), exp);
      return cookie.write(writeTicket(ticket), exp, cookies);
    },
    async renew(session, cookies) {
      const ticket = ticketIn(cookies);
      if (ticket === null) return null;
      const { exp } = session.header;
      const sealed = await sealSession(await keys(), session);
      const written = await store.replace(await sessionKey(ticket), sealed, exp);
      return written ? cookie.write(writeTicket(ticket), exp, cookies) : null;
    },
    async remove(cookies) {
      const ticket = ticketIn(cookies);
      if (ticket !== null) await store.delete(await sessionKey(ticket));
      return cookie.clear(cookies);
    },
  };
}

/** Asked only where nothing was found: a session that is there costs no second look. */
async function whyMissing(store: Store, key: string): Promise<"elsewhere" | "unreadable"> {
  const [ended] = await store.get([endedKey(key)]);
  return ended == null ? "unreadable" : "elsewhere";
}
