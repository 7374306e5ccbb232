import type { Config } from "../config/config.ts";
import type { Runtime } from "../config/runtime.ts";
import type { Observer } from "../config/telemetry/telemetry.ts";
import { type ChunkedCookie, type Cookies, unseenChunks } from "../http/cookies.ts";
import type { EndedList } from "./ends/ended-list.ts";
import type { SignInTimes } from "./ends/mark.ts";
import { renewedTimes } from "./lifetime.ts";
import type { SessionContent, SessionSeal } from "./seal.ts";
import type { SessionData, SessionHeader, StoredSession } from "./session.ts";
import type { Change } from "./change-record.ts";
import type { SessionRecords } from "./session-records.ts";
import {
  type ClientRegistration,
  formatHandle,
  type SessionHandle,
  sessionIdOf,
  sessionTags,
} from "./session-handle.ts";

/** What the provider has said of a sign-in; kept apart from what the app makes of the user. */
export interface SignInFacts extends SignInTimes {
  readonly sub: string;
  readonly sid: string | undefined;
  /** `auth_time` and `acr` of the ID token, where it had them; see {@link SessionHeader}. */
  readonly authTime?: number;
  readonly acr?: string;
}

/** A session as it was written, and the `Set-Cookie` values that bring it to the browser. */
export interface WrittenSession {
  readonly stored: StoredSession;
  readonly setCookies: readonly string[];
}

/** What a change has made of a session: without cookies where it stays as it was, `null` where it was ended. */
export type Changed =
  | WrittenSession
  | { readonly stored: StoredSession; readonly setCookies: null }
  | null;

/** Makes, renews, changes and ends sessions, in the cookie or in the store. Knows no provider and no request. */
export interface Sessions {
  create(data: SessionData, facts: SignInFacts, cookies: Cookies): Promise<WrittenSession>;
  /**
   * The same session, used now. Synchronous, so that it can be called when the head of a response leaves;
   * `saved` settles when the store, where the session lives there, has it too.
   */
  renew(
    stored: StoredSession,
    cookies: Cookies,
  ): WrittenSession & { readonly saved: Promise<unknown> };
  /**
   * Changes a session, and renews it. In the store the change is made to what lies there now, and made again
   * where somebody else has changed that meanwhile; `null` where the session was ended.
   */
  change(stored: StoredSession, change: Change, cookies: Cookies): Promise<Changed>;
  /** Changes the data of a session; see {@link change}. Writes nothing where they stay as they are. */
  update(
    stored: StoredSession,
    change: (data: SessionData) => Promise<SessionData>,
    cookies: Cookies,
  ): Promise<Changed>;
  /** Ends a session for good, also for those who copied its cookie; the latter needs a store. */
  end(stored: SessionToEnd, ending?: SessionEnding): Promise<void>;
  /** The same for a session in the store that could not be read: it is read now, and returned where it is still there. */
  endByHandle(handle: SessionHandle): Promise<StoredSession | null>;
  /** The `Set-Cookie` values that clear what the request carries. */
  clear(cookies: Cookies): readonly string[];
}

/** Whether its browser has a newer session in the place of one that ends. */
export type SessionEnding = "ended" | "replaced";

/** What has to be known of a session to end it. */
export interface SessionToEnd {
  readonly header: Pick<SessionHeader, "id">;
  readonly record: { readonly handle: SessionHandle } | null;
}

export interface SessionsOptions extends Pick<Runtime, "clock" | "randomText"> {
  readonly config: Config;
  readonly registration: ClientRegistration;
  readonly seal: SessionSeal;
  readonly cookie: ChunkedCookie;
  /** Is told the size of every cookie. */
  readonly measure?: Observer["measure"] | undefined;
  /** `null` where there is no store. */
  readonly records: SessionRecords | null;
  readonly ended: EndedList | null;
  /** Is told the id of every session that ends here, before anybody else is. */
  readonly onEnd?: ((id: string, ending: SessionEnding) => void) | undefined;
}

export function createSessions(options: SessionsOptions): Sessions {
  const { config, registration, seal, cookie, records, clock } = options;
  const { lifetime, stateful } = config.session;
  const writtenTo = (stored: StoredSession, cookies: Cookies) => written(options, stored, cookies);

  const change: Sessions["change"] = (stored, changed, cookies) =>
    changeSession(options, { stored, change: changed }, cookies);

  return {
    async create(data, facts, cookies) {
      const tags = sessionTags(registration, facts);
      const handle = newHandle(tags, options);
      const now = Math.floor(clock() / 1000);
      const times = renewedTimes({ iat: now }, lifetime, now);
      const id = sessionIdOf(handle);
      const { sub: _sub, sid: _sid, ...signInTimes } = facts;
      const header = { ...times, id, ...signInTimes, ...registration, ...tags };
      const content = { header, data };
      const carried = { ...unseenCookies(config), ...cookies };
      if (!stateful || records === null) {
        return writeWhereItFits(options, { content, handle }, carried);
      }
      return writtenTo(await records.write(content, handle), carried);
    },
    renew(before, cookies) {
      const { header, record } = before;
      const after = { ...before, header: renewedHeader(options, header) };
      // The browser gets the handle with its next renewal, when the record has been seen.
      const saved =
        record === null
          ? stateful && records?.adopt(after, seal.handleOf(header))
          : records?.replace(record, after);
      return { ...writtenTo(after, cookies), saved: Promise.resolve(saved) };
    },
    change,
    update: (stored, newData, cookies) => change(stored, updated(newData, clock), cookies),
    ...endings(options),
    clear: (cookies) => cookie.clear(cookies),
  };
}

async function changeSession(
  options: SessionsOptions,
  { stored: before, change }: { readonly stored: StoredSession; readonly change: Change },
  cookies: Cookies,
): Promise<Changed> {
  const { records } = options;
  const { header, record } = before;
  let isKept = false;
  const renewed: Change = async (content) => {
    const after = await change(content);
    isKept = after === null;
    return after && { ...after, header: renewedHeader(options, after.header) };
  };
  if (record !== null && records !== null) {
    const stored = await records.update(record, renewed);
    if (stored === null) return null;
    return isKept ? { stored, setCookies: null } : written(options, stored, cookies);
  }
  const content = await renewed(before);
  if (content === null) return { stored: before, setCookies: null };
  return writeWhereItFits(options, { content, handle: newHandle(header, options) }, cookies);
}

/** Other data, and when they were changed; nothing where they stay as they are. */
function updated(
  change: (data: SessionData) => Promise<SessionData>,
  clock: SessionsOptions["clock"],
): Change {
  return async ({ header, data }) => {
    // The app may change what it was given.
    const before = JSON.stringify(data);
    const after = await change(data);
    if (JSON.stringify(after) === before) return null;
    return { header: { ...header, changed: clock() }, data: after };
  };
}

/** The mark is written first: it alone ends a session for those who have copied its cookie. */
function endings({
  records,
  ended,
  onEnd,
}: Pick<SessionsOptions, "records" | "ended" | "onEnd">): Pick<Sessions, "end" | "endByHandle"> {
  return {
    async end({ header, record }, ending = "ended") {
      onEnd?.(header.id, ending);
      await ended?.endSession(header.id);
      if (record !== null) await records?.remove(record);
    },
    async endByHandle(handle) {
      const stored = (await records?.read(handle)) ?? null;
      // One that has moved here has kept the id that it had in its cookie.
      await ended?.endSession(stored?.header.id ?? sessionIdOf(handle));
      await records?.remove({ handle });
      return stored;
    },
  };
}

/** A cross-site POST brings no session cookie: chunks that may be there are cleared all the same. */
function unseenCookies({ responseMode, session }: Config): Cookies {
  return responseMode === "form_post" ? unseenChunks(session.name, 8) : {};
}

/** In the cookie; where it does not fit there, in the store, if there is one. */
async function writeWhereItFits(
  options: SessionsOptions,
  { content, handle }: { readonly content: SessionContent; readonly handle: SessionHandle },
  cookies: Cookies,
): Promise<WrittenSession> {
  const { records, config } = options;
  const inCookie = written(options, { ...content, record: null }, cookies);
  const fits = cookieBytes(inCookie.setCookies) <= config.session.maxCookieBytes;
  if (records === null || fits) return inCookie;
  return written(options, await records.write(content, handle), cookies);
}

function written(
  { seal, cookie, measure }: SessionsOptions,
  stored: StoredSession,
  cookies: Cookies,
): WrittenSession {
  const { header, record } = stored;
  // A handle names the key that seals now: that of its sign-in may be taken away one day.
  const value =
    record === null ? seal.seal(stored) : formatHandle({ ...record.handle, keyId: seal.keyId() });
  measure?.({ of: "cookie-size", cookie: "session", bytes: value.length });
  return { stored, setCookies: cookie.write(value, header.exp, cookies) };
}

function newHandle(
  { subTag, sidTag }: Pick<SessionHeader, "subTag" | "sidTag">,
  { randomText, seal }: Pick<SessionsOptions, "randomText" | "seal">,
): SessionHandle {
  return { subTag, sidTag, secret: randomText(32), keyId: seal.keyId() };
}

/** What a browser sends back of these cookies, in bytes; nothing of those that are cleared. */
export function cookieBytes(setCookies: readonly string[]): number {
  return setCookies
    .map((line) => line.split(";", 1)[0] ?? "")
    .reduce((sum, pair) => sum + (pair.endsWith("=") ? 0 : pair.length + 2), 0);
}

/**
 * Algorithm and key id are said anew by the seal. Members that we do not know stay: another version of
 * ours may have written them. A session that was made elsewhere names issuer and client from its first
 * renewal on.
 */
function renewedHeader(
  { config, registration, clock }: SessionsOptions,
  header: SessionHeader,
): SessionHeader {
  const { issuer, client } = registration;
  const now = Math.floor(clock() / 1000);
  const { uat, exp } = renewedTimes(header, config.session.lifetime, now);
  return { ...header, issuer, client, uat, exp };
}
