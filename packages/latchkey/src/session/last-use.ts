/** The small cookie beside the session cookie (decision 0129). */
import type { KeyRing } from "../crypto/key-ring.ts";
import { isMACOf, macOf } from "../crypto/mac.ts";
import {
  clearCookie,
  type CookieAttributes,
  type Cookies,
  lastUseName,
  setCookie,
} from "../http/cookies.ts";
import type { SessionHeader, StoredSession } from "./session.ts";

type UseTimes = Pick<SessionHeader, "uat" | "exp">;

/**
 * The cookie `<session cookie>.t` with the last use of a session: `<uat>.<exp>.<MAC>`, both times
 * in epoch seconds. The MAC covers the id of the session, too.
 */
export interface LastUseCookie {
  /** Returns the `Set-Cookie` value for the times in a header. */
  write(header: SessionHeader): string;
  /**
   * Returns a session with the times of the small cookie. It counts for nothing if it is of another
   * session or key, not newer than the session, or in the future by more than clocks may differ.
   */
  apply(stored: StoredSession, cookies: Cookies, nowSeconds: number): StoredSession;
  /** Returns the `Set-Cookie` value to clear it, if the request has it. */
  clear(cookies: Cookies): readonly string[];
}

export interface LastUseCookieOptions {
  /** Keys of their own: the first one writes, all are accepted. */
  readonly keys: () => KeyRing;
  /** Those of the session cookie. */
  readonly session: {
    readonly name: string;
    readonly cookie: CookieAttributes;
    readonly transient: boolean;
  };
  /** In seconds. */
  readonly clockTolerance: number;
}

const form = /^(\d{1,11})\.(\d{1,11})\.([\w-]{22})$/;

export function createLastUseCookie(options: LastUseCookieOptions): LastUseCookie {
  const { keys, session, clockTolerance } = options;
  const name = lastUseName(session.name);
  return {
    write(header) {
      const { uat, exp, shared } = header;
      const value = `${uat}.${exp}.${macOf(keys(), textOf(header.id, header))}`;
      const isTransient = session.transient || shared === true;
      return setCookie(name, value, session.cookie, isTransient ? undefined : exp);
    },
    apply(stored, cookies, nowSeconds) {
      const [, uat, exp, mac] = form.exec(cookies[name] ?? "") ?? [];
      if (mac === undefined) return stored;
      const times = { uat: Number(uat), exp: Number(exp) };
      if (times.uat > nowSeconds + clockTolerance || times.uat <= stored.header.uat) return stored;
      const isOurs = isMACOf(keys(), textOf(stored.header.id, times), mac);
      return isOurs ? withNewerUse(stored, times) : stored;
    },
    clear: (cookies) => (cookies[name] === undefined ? [] : [clearCookie(name, session.cookie)]),
  };
}

/** What the MAC covers. */
function textOf(id: string, { uat, exp }: UseTimes): string {
  return `${uat} ${exp} ${id}`;
}

/** Returns a session with other times, if these are newer. */
export function withNewerUse(stored: StoredSession, { uat, exp }: UseTimes): StoredSession {
  const { header, sealedTimes = { uat: header.uat, exp: header.exp } } = stored;
  return uat <= header.uat ? stored : { ...stored, header: { ...header, uat, exp }, sealedTimes };
}
