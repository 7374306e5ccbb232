import type { Config } from "../config/config.ts";
import { andThen, type Awaitable } from "../awaitable.ts";
import type { Cookies } from "../http/cookies.ts";
import type { EndedList, Party } from "./ended-list.ts";
import type { PersonSessions } from "./person-sessions.ts";
import { endOf, renewedTimes } from "./lifetime.ts";
import { type SessionData, type SessionHeader, storable, type StoredSession } from "./session.ts";
import type { SessionCookie } from "./session-cookie.ts";
import type { SessionStorage } from "./storage.ts";

/** Makes, renews and ends sessions. Knows no provider and no request. */
export interface Sessions {
  readonly storage: SessionStorage;
  readonly cookie: SessionCookie;
  readonly ended: EndedList | null;
  /** Finds the sessions of one person; `null` where they live in cookies and cannot be found. */
  readonly ofPerson: PersonSessions | null;
  /** A new session; `started` is when its sign-in began, in epoch milliseconds. */
  create(data: SessionData, started: number, cookies: Cookies): Awaitable<readonly string[]>;
  /** The same session, used now and perhaps with other data; `null` where it was ended meanwhile. */
  renew(session: StoredSession, cookies: Cookies): Awaitable<Renewed | null>;
  /** Ends a session for good, also for those who copied its cookie; needs a store for the latter. */
  end(session: StoredSession | null, cookies: Cookies): Promise<readonly string[]>;
}

export interface Renewed {
  readonly session: StoredSession;
  readonly setCookies: readonly string[];
}

export interface SessionsParts {
  readonly config: Config;
  readonly party: Party;
  readonly storage: SessionStorage;
  readonly cookie: SessionCookie;
  readonly ended: EndedList | null;
  readonly ofPerson: PersonSessions | null;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly newId: () => string;
}

export function createSessions(parts: SessionsParts): Sessions {
  const { config, party, storage, cookie, ended, ofPerson, clock, newId } = parts;
  const { lifetime } = config.session;

  return {
    storage,
    cookie,
    ended,
    ofPerson,
    create(data, started, cookies) {
      const now = Math.floor(clock() / 1000);
      const header: SessionHeader = {
        uat: now,
        iat: now,
        exp: endOf({ uat: now, iat: now }, lifetime),
        id: newId(),
        started,
        ...party,
      };
      return storage.create({ header, data: storable(data) }, cookies);
    },
    renew({ header, ...content }, cookies) {
      const times = renewedTimes(header, lifetime, Math.floor(clock() / 1000));
      const session = { header: { ...ownHeader(header), ...times }, ...content };
      return andThen(storage.renew(session, cookies), (setCookies) =>
        setCookies === null ? null : { session, setCookies },
      );
    },
    async end(session, cookies) {
      const id = session?.header.id;
      if (ended !== null && id !== undefined) await ended.endSession(id);
      return storage.remove(cookies);
    },
  };
}

/** The members that are ours: algorithm and key id are said anew by whoever seals. */
function ownHeader({ uat, iat, exp, id, started, issuer, client }: SessionHeader): SessionHeader {
  return {
    uat,
    iat,
    exp,
    ...(id === undefined ? {} : { id }),
    ...(started === undefined ? {} : { started }),
    ...(issuer === undefined ? {} : { issuer }),
    ...(client === undefined ? {} : { client }),
  };
}
