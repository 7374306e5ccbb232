/** The cookie that proves the device of a session (decision 0141). */
import type { KeyRing } from "../crypto/key-ring.ts";
import { isMACOf, macOf } from "../crypto/mac.ts";
import { clearCookie, type CookieAttributes, type Cookies, setCookie } from "../http/cookies.ts";
import type { SessionHeader } from "./session.ts";

/** The key that a session is bound to, as its header names it. */
export type DeviceKey = Required<Pick<SessionHeader, "deviceKey" | "deviceSince">>;

/** What has to be known of a session to compare its key with a cookie. */
type BoundHeader = Pick<SessionHeader, "id"> & Partial<DeviceKey>;

/**
 * The cookie `<session cookie>.device`: `<until>.<thumbprint>.<MAC>`. The browser gets it for a
 * proof by a key that cannot be copied, for a few minutes (Device Bound Session Credentials, W3C
 * draft). The MAC covers the id of the session, too.
 */
export interface DeviceCookie {
  readonly name: string;
  /** As browsers compare it, e.g. `Path=/; HttpOnly; Secure; SameSite=Lax`. */
  readonly attributes: string;
  /** Returns the `Set-Cookie` value after a proof by the key with this thumbprint. */
  write(id: string, thumbprint: string, nowSeconds: number): string;
  /** Returns the key to bind a session to, from now on; `null` if it is bound or has none. */
  newKey(header: BoundHeader, cookies: Cookies, nowSeconds: number): DeviceKey | null;
  /** Whether a session is bound to a key, and the request has no proof by it. */
  lacksProof(header: BoundHeader, cookies: Cookies, nowSeconds: number): boolean;
  /** Returns the `Set-Cookie` value to clear it, if the request has it. */
  clear(cookies: Cookies): readonly string[];
}

export interface DeviceCookieOptions {
  readonly keys: () => KeyRing;
  /** Those of the session cookie. */
  readonly session: { readonly name: string; readonly cookie: CookieAttributes };
}

/** Seconds for which a proof counts: a copied cookie is worth no more. */
export const proofSeconds = 600;
/** Seconds after which each request needs a proof: some were sent before the cookie came. */
const graceSeconds = 60;
const form = /^(\d{1,11})\.([\w-]{43})\.([\w-]{22})$/;

export function createDeviceCookie({ keys, session }: DeviceCookieOptions): DeviceCookie {
  const { cookie } = session;
  const name = `${session.name}.device`;

  /** The thumbprint of the key that was proved lately; `null` without a proof. */
  function provedKey(id: string, cookies: Cookies, nowSeconds: number): string | null {
    const [, until, thumbprint, mac] = form.exec(cookies[name] ?? "") ?? [];
    if (until === undefined || thumbprint === undefined || mac === undefined) return null;
    if (nowSeconds >= Number(until)) return null;
    return isMACOf(keys(), textOf(id, until, thumbprint), mac) ? thumbprint : null;
  }

  return {
    name,
    attributes: setCookie("", "", cookie).slice("=; ".length),
    write(id, thumbprint, nowSeconds) {
      const until = nowSeconds + proofSeconds;
      const mac = macOf(keys(), textOf(id, String(until), thumbprint));
      return setCookie(name, `${until}.${thumbprint}.${mac}`, cookie, until);
    },
    newKey({ id, deviceKey }, cookies, nowSeconds) {
      if (deviceKey !== undefined || cookies[name] === undefined) return null;
      const proved = provedKey(id, cookies, nowSeconds);
      return proved === null ? null : { deviceKey: proved, deviceSince: nowSeconds };
    },
    lacksProof({ id, deviceKey, deviceSince = 0 }, cookies, nowSeconds) {
      if (deviceKey === undefined || nowSeconds < deviceSince + graceSeconds) return false;
      return provedKey(id, cookies, nowSeconds) !== deviceKey;
    },
    clear: (cookies) => (cookies[name] === undefined ? [] : [clearCookie(name, cookie)]),
  };
}

function textOf(id: string, until: string, thumbprint: string): string {
  return `${until} ${thumbprint} ${id}`;
}
