/** Where a session lives: in its cookie, or in the store with a handle in the cookie. */
import type { Config } from "../config/config.ts";
import { nowSeconds, type Runtime } from "../config/runtime.ts";
import { namesIn, type SealedNames } from "../config/sealed-names.ts";
import { type ChunkedCookie, cookieBytes, type Cookies } from "../http/cookies.ts";
import type { Observer } from "../telemetry/telemetry.ts";
import { withNewerUse } from "./last-use.ts";
import { isSealedLately, latestTimes, type LifetimeOf } from "./lifetime.ts";
import type { SessionContent, SessionSeal } from "./seal.ts";
import type { SessionData, SessionHeader, StoredSession } from "./session.ts";
import { formatHandle, type SessionHandle } from "./session-handle.ts";
import type { SessionRecords } from "./session-records.ts";

/** Both places. */
export interface Places extends Pick<Runtime, "clock" | "randomText"> {
  readonly config: Config;
  readonly lifetimeOf: LifetimeOf;
  readonly seal: SessionSeal;
  readonly cookie: ChunkedCookie;
  /** Receives the size of every cookie. */
  readonly measure?: Observer["measure"] | undefined;
  /** `null` without a store. */
  readonly records: SessionRecords | null;
}

/** A session as it was written, and its `Set-Cookie` values. */
export interface WrittenSession {
  readonly stored: StoredSession;
  readonly setCookies: readonly string[];
}

/**
 * Whether a session belongs in the store, if there is one. By default (`undefined`) one with a
 * refresh token does: instances share its tokens.
 */
export function belongsInStore(
  stateful: boolean | undefined,
  { refreshToken }: SessionData,
): boolean {
  return stateful ?? refreshToken !== undefined;
}

/** The session in the store, if it belongs there; `null` if it has ended since it was read. */
export async function inItsPlace(
  { config, records, seal }: Places,
  stored: StoredSession,
): Promise<StoredSession | null> {
  const { record, header, data } = stored;
  const isInPlace = record !== null || !belongsInStore(config.session.stateful, data);
  if (records === null || isInPlace) return stored;
  const adopted = await records.adopt(stored, seal.handleOf(header));
  return adopted && withNewerUse(adopted, header);
}

/** Whether a session lies in its place, sealed lately and by the current key. */
export function isWrittenLately(
  places: Places,
  { header, data, record, sealedTimes }: StoredSession,
  cookies: Cookies,
): boolean {
  const { config, seal, records } = places;
  const { name, stateful } = config.session;
  const keyId = seal.keyId(header);
  const isInPlace =
    record === null
      ? records === null || !belongsInStore(stateful, data)
      : isHandleOf(seal, cookies[name], { ...record.handle, keyId });
  if (!isInPlace || header.kid !== keyId) return false;
  const times = { ...header, ...sealedTimes };
  return isSealedLately(times, places.lifetimeOf(header), nowSeconds(places));
}

function isHandleOf(seal: SessionSeal, value = "", handle: SessionHandle): boolean {
  const carried = seal.openCookie(value);
  const isHandle = typeof carried === "object" && "secret" in carried;
  return isHandle && formatHandle(carried) === formatHandle(handle);
}

/** Writes the cookie; if it does not fit there, the store, if there is one. */
export async function writeWhereItFits(
  places: Places,
  { content, handle }: { readonly content: SessionContent; readonly handle: SessionHandle },
  cookies: Cookies,
): Promise<WrittenSession> {
  const { records, config } = places;
  const inCookie = writeCookies(places, { ...content, record: null }, cookies);
  const fits = cookieBytes(inCookie.setCookies) <= config.session.maxCookieBytes;
  if (records === null || fits) return inCookie;
  return writeCookies(places, await records.write(content, handle), cookies);
}

/** Writes the cookies of a session, wherever it lives. */
export function writeCookies(
  { lifetimeOf, seal, cookie, measure }: Places,
  stored: StoredSession,
  cookies: Cookies,
): WrittenSession {
  const { header, record } = stored;
  // A handle names the current key: the key of its sign-in may be removed one day.
  const value =
    record === null
      ? seal.seal(stored)
      : seal.writeHandle({ ...record.handle, keyId: seal.keyId(header) });
  measure?.({ of: "cookie-size", cookie: "session", bytes: value.length });
  const { exp } = latestTimes(header, lifetimeOf(header));
  const expires = header.shared === true ? undefined : exp;
  return { stored, setCookies: cookie.write(value, expires, cookies) };
}

/** Returns a new handle, for a session that is not in the store yet. */
export function newHandle(
  header: Pick<SessionHeader, "subTag" | "sidTag"> & SealedNames,
  { randomText, seal }: Pick<Places, "randomText" | "seal">,
): SessionHandle {
  const { subTag, sidTag } = header;
  const secret = randomText(32);
  return { subTag, sidTag, secret, keyId: seal.keyId(header), ...namesIn(header) };
}
