import type { Config, SessionLifetime } from "../config/config.ts";
import { nowSeconds } from "../config/runtime.ts";
import { namesAt, type SealingSite } from "../config/sealed-names.ts";
import { type Cookies, unseenChunks } from "../http/cookies.ts";
import type { EndedList } from "./marks/ended-list.ts";
import type { SignInTimes } from "./marks/mark.ts";
import type { PendingEnd, PendingEnds } from "./marks/pending-ends.ts";
import type { Change, DataChange } from "./change-record.ts";
import type { DeviceCookie } from "./device-cookie.ts";
import { type LastUseCookie, withNewerUse } from "./last-use.ts";
import { renewedTimes } from "./lifetime.ts";
import {
  belongsInStore,
  inItsPlace,
  isWrittenLately,
  newHandle,
  type Places,
  writeCookies,
  writeWhereItFits,
  type WrittenSession,
} from "./place.ts";
import type { SessionEnding } from "./recent-sessions.ts";
import type { SessionData, SessionHeader, StoredSession } from "./session.ts";
import {
  type ClientRegistration,
  type SessionHandle,
  sessionIdOf,
  sessionTags,
} from "./session-handle.ts";
import type { UserSessions } from "./user-sessions.ts";

/** With whom a user has signed in, as far as sessions know it. */
export interface SessionConnection {
  readonly id: string;
  readonly registration: ClientRegistration;
  readonly responseMode: "query" | "form_post";
  readonly lifetime: SessionLifetime;
}

/** What the provider has said of a sign-in; kept apart from what the app makes of the user. */
export interface SignInFacts extends SignInTimes {
  readonly sub: string;
  readonly sid: string | undefined;
  /** `auth_time` and `acr` of the ID token, if it had them; see {@link SessionHeader}. */
  readonly authTime?: number;
  readonly acr?: string;
  /** Whether it was for a shared computer; see {@link SessionHeader}. */
  readonly shared?: true;
  /** `session_expiry` of the ID token, if it had one; see {@link SessionHeader}. */
  readonly sessionExpiry?: number;
}

/** A sign-in that makes a session. */
interface SessionSignIn extends SignInFacts {
  readonly connection: SessionConnection;
}

/**
 * The result of a change: without cookies if the session stays as it was, `null` if it has ended.
 */
export type Changed =
  | WrittenSession
  | { readonly stored: StoredSession; readonly setCookies: null }
  | null;

/**
 * Makes, renews, changes and ends sessions, in the cookie or in the store. Knows no provider and no
 * request.
 */
export interface Sessions {
  create(data: SessionData, signIn: SessionSignIn, cookies: Cookies): Promise<WrittenSession>;
  /**
   * Renews a session: in the small cookie, or in its place if that was sealed long ago, or if its
   * device has proved a key for the first time.
   * Synchronous, since the head of a response is; `saved` settles when the store has it, too.
   */
  renew(
    stored: StoredSession,
    cookies: Cookies,
  ): WrittenSession & { readonly saved: Promise<unknown> };
  /**
   * Changes a session, and renews it. In the store the change is made to the current record, and
   * again if another request changed it meanwhile; `null` if the session has ended.
   */
  change(stored: StoredSession, change: Change, cookies: Cookies): Promise<Changed>;
  /** Changes the data of a session; see {@link change}. Writes nothing if they stay the same. */
  update(stored: StoredSession, change: DataChange, cookies: Cookies): Promise<Changed>;
  /** The session in the store, if it belongs there; `null` if it has ended since it was read. */
  inItsPlace(stored: StoredSession): Promise<StoredSession | null>;
  /**
   * Ends a session for good, with all copies of its cookie if there is a store.
   *
   * @returns what its record held at the end: its tokens may be newer than those read before;
   *   `null` without a record
   */
  end(session: SessionToEnd, ending?: SessionEnding): Promise<StoredSession | null>;
  /** The same for an unreadable session in the store. */
  endByHandle(handle: SessionHandle): Promise<StoredSession | null>;
  /** Repeats the end of a session until the store takes it, as long as this process lives. */
  endLater(end: PendingEnd): void;
  /** The `Set-Cookie` values to clear what the request carries. */
  clear(cookies: Cookies): readonly string[];
  /** `null` if sessions live in cookies, so that those of a user cannot be found. */
  readonly ofUsers: UserSessions | null;
}

/** What has to be known of a session to end it. */
export type SessionToEnd =
  | StoredSession
  | {
      readonly header: Pick<SessionHeader, "id">;
      readonly record: { readonly handle: SessionHandle } | null;
    };

export interface SessionsOptions extends Places {
  readonly site: SealingSite;
  readonly lastUse: LastUseCookie;
  /** `null` unless sessions are bound to devices. */
  readonly device: DeviceCookie | null;
  readonly ended: EndedList | null;
  readonly pendingEnds: Pick<PendingEnds, "add">;
  readonly ofUsers: UserSessions | null;
  /** Called first, with the id of every session ended here. */
  readonly onEnd?: ((id: string, ending: SessionEnding) => void) | undefined;
}

export function createSessions(options: SessionsOptions): Sessions {
  const { config, site, seal, cookie, lastUse, device, records, clock } = options;
  const { pendingEnds, ofUsers } = options;
  const { stateful } = config.session;

  return {
    async create(data, signIn, cookies) {
      const { sub: _sub, sid: _sid, connection, ...signInTimes } = signIn;
      const { registration, lifetime } = connection;
      const tags = sessionTags(registration, signIn);
      const names = namesAt(site, connection.id);
      const handle = newHandle({ ...tags, ...names }, options);
      const now = nowSeconds(options);
      const times = renewedTimes({ ...signIn, iat: now }, lifetime, now);
      const id = sessionIdOf(handle);
      const { issuer, client } = registration;
      const header = { ...times, id, ...signInTimes, ...tags, issuer, client, ...names };
      const content = { header, data };
      const carried = { ...unseenCookies(config, connection), ...cookies };
      if (records === null || !belongsInStore(stateful, data)) {
        return writeWhereItFits(options, { content, handle }, carried);
      }
      return writeCookies(options, await records.write(content, handle), carried);
    },
    renew(before, cookies) {
      const { header, record } = before;
      const newKey = device?.newKey(header, cookies, nowSeconds(options)) ?? null;
      const after = { ...before, header: { ...renewedHeader(options, header), ...newKey } };
      if (newKey === null && isWrittenLately(options, before, cookies)) {
        const setCookies = [lastUse.write(after.header)];
        return { stored: after, setCookies, saved: Promise.resolve() };
      }
      // The browser gets the handle with its next renewal, when the record has been seen.
      const saved =
        record === null
          ? belongsInStore(stateful, after.data) && records?.adopt(after, seal.handleOf(header))
          : records?.replace(record, after);
      return { ...writeCookies(options, after, cookies), saved: Promise.resolve(saved) };
    },
    change: (stored, change, cookies) => changeSession(options, { stored, change }, cookies),
    inItsPlace: (stored) => inItsPlace(options, stored),
    update(stored, newData, cookies) {
      const change = toUpdatedContent(newData, clock);
      return changeSession(options, { stored, change }, cookies);
    },
    ...endings(options),
    endLater: (end) => void pendingEnds.add(end),
    ofUsers,
    clear: (cookies) => [
      ...cookie.clear(cookies),
      ...lastUse.clear(cookies),
      ...(device?.clear(cookies) ?? []),
    ],
  };
}

async function changeSession(
  options: SessionsOptions,
  { stored, change }: { readonly stored: StoredSession; readonly change: Change },
  cookies: Cookies,
): Promise<Changed> {
  const { records } = options;
  const before = await inItsPlace(options, stored);
  if (before === null) return null;
  const { header, record } = before;
  let isKept = false;
  const renewed: Change = async (content) => {
    const after = await change(content);
    isKept = after === null;
    return after && { ...after, header: renewedHeader(options, after.header) };
  };
  if (record !== null && records !== null) {
    const changed = await records.update(record, renewed);
    if (changed === null) return null;
    return isKept
      ? { stored: withNewerUse(changed, header), setCookies: null }
      : writeCookies(options, changed, cookies);
  }
  const content = await renewed(before);
  if (content === null) return { stored: before, setCookies: null };
  return writeWhereItFits(options, { content, handle: newHandle(header, options) }, cookies);
}

/** Other data, and when they were changed; `null` if they stay the same. */
function toUpdatedContent(change: DataChange, clock: SessionsOptions["clock"]): Change {
  return async ({ header, data }) => {
    // The app may change what it was given.
    const before = JSON.stringify(data);
    const after = await change(data);
    if (JSON.stringify(after) === before) return null;
    return { header: { ...header, changed: clock() }, data: after };
  };
}

/**
 * The mark comes first: it alone ends copies of the cookie. Then the record is read: a later
 * refresh finds the mark, and revokes its own tokens.
 */
function endings(options: SessionsOptions): Pick<Sessions, "end" | "endByHandle"> {
  const { config, records, ended, seal, onEnd } = options;

  /** Another request may be moving a session from its cookie to the store. */
  function handleIn(session: SessionToEnd): SessionHandle | null {
    if (session.record !== null) return session.record.handle;
    const isMoving = "data" in session && belongsInStore(config.session.stateful, session.data);
    return isMoving ? seal.handleOf(session.header) : null;
  }

  return {
    async end(session, ending = "ended") {
      const { id } = session.header;
      onEnd?.(id, ending);
      await ended?.endSession(id);
      const handle = handleIn(session);
      return (handle && (await records?.remove(handle))) ?? null;
    },
    async endByHandle(handle) {
      const stored = (await records?.read(handle)) ?? null;
      // One from a cookie has kept its id.
      await ended?.endSession(stored?.header.id ?? sessionIdOf(handle));
      return (await records?.remove(handle)) ?? null;
    },
  };
}

/** A cross-site POST brings no session cookie: possible chunks are cleared all the same. */
function unseenCookies(
  { session }: Pick<Config, "session">,
  { responseMode }: Pick<SessionConnection, "responseMode">,
): Cookies {
  return responseMode === "form_post" ? unseenChunks(session.name, 8) : {};
}

/** Unknown members stay: another version of ours may have written them. */
function renewedHeader(options: SessionsOptions, header: SessionHeader): SessionHeader {
  const { uat, exp } = renewedTimes(header, options.lifetimeOf(header), nowSeconds(options));
  return { ...header, uat, exp };
}
