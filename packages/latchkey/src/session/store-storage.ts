import { andThen, type Awaitable } from "../awaitable.ts";
import type { Cookies } from "../http/cookies.ts";
import type { Store } from "../stores/store.ts";
import type { Party } from "./ended-list.ts";
import type { SessionSeal } from "./session-seal.ts";
import type { SessionCookie } from "./session-cookie.ts";
import type { Loaded, SessionStorage } from "./storage.ts";
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
  readonly seal: SessionSeal;
  readonly store: Store;
  /** A new unguessable name, at least 128 bits. */
  readonly newHandle: () => string;
}

/**
 * Sessions that live in a store. The cookie holds the person's tag and a random handle; the store holds the sealed
 * session under the tag and the handle's hash, so that who reads the store can neither read a session nor use one.
 */
export function storeStorage(parts: StoreStorageParts): SessionStorage {
  const { name, cookie, party, seal, store, newHandle } = parts;
  const ticketIn = (cookies: Cookies): Ticket | null => readTicket(cookies[name]);

  function deleteSession(cookies: Cookies): Awaitable<void> {
    const ticket = ticketIn(cookies);
    if (ticket !== null) return andThen(sessionKey(ticket), (key) => store.delete(key));
  }

  const openOrUnreadable = (sealed: string): Awaitable<Loaded> =>
    andThen(seal.open(sealed), (session) => session ?? "unreadable");

  return {
    load(cookies) {
      if (cookies[name] === undefined || cookies[name] === "") return null;
      const ticket = ticketIn(cookies);
      if (ticket === null) return "unreadable";
      return andThen(sessionKey(ticket), (key) =>
        andThen(store.get([key]), ([sealed]) =>
          sealed == null ? whyMissing(store, key) : openOrUnreadable(sealed),
        ),
      );
    },
    async create(session, cookies) {
      await deleteSession(cookies);
      const ticket = { tag: await personTag(party, session.data.user.sub), handle: newHandle() };
      const { exp } = session.header;
      await store.set(await sessionKey(ticket), await seal.seal(session), exp);
      return cookie.write(writeTicket(ticket), exp, cookies);
    },
    renew(session, cookies) {
      const ticket = ticketIn(cookies);
      if (ticket === null) return null;
      const { exp } = session.header;
      return andThen(sessionKey(ticket), (key) =>
        andThen(seal.seal(session), (sealed) =>
          andThen(store.replace(key, sealed, exp), (written) =>
            written ? cookie.write(writeTicket(ticket), exp, cookies) : null,
          ),
        ),
      );
    },
    remove: (cookies) => andThen(deleteSession(cookies), () => cookie.clear(cookies)),
  };
}

/** Asked only where nothing was found: a session that is there costs no second look. */
function whyMissing(store: Store, key: string): Awaitable<Loaded> {
  return andThen(store.get([endedKey(key)]), ([ended]) =>
    ended == null ? "unreadable" : "elsewhere",
  );
}
