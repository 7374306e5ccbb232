import { lastConnectionCookie } from "../config/constants.ts";
import { nowSeconds } from "../config/runtime.ts";
import { openText, sealText } from "../crypto/jwe.ts";
import type { KeyRing } from "../crypto/key-ring.ts";
import { type Cookies, setCookie } from "../http/cookies.ts";
import { hostCookie } from "./host-cookie.ts";
import type { Sealing } from "./sealing.ts";

/**
 * Remembers in a cookie with which connection this browser has signed in last at this host: its id
 * and nothing else. Sealed, so that only a finished sign-in writes one.
 */
export interface LastConnection {
  /** Returns the id, which may be of a connection that is gone; `null` without one of this host. */
  read(cookies: Cookies): string | null;
  /** Returns the `Set-Cookie` value. */
  write(id: string): string;
}

const keptSeconds = 180 * 86_400;

export interface LastConnectionOptions extends Pick<Sealing, "config" | "clock"> {
  /** Keys of their own. */
  readonly keys: () => KeyRing;
}

export function createLastConnection(options: LastConnectionOptions): LastConnection {
  const { config, keys, clock } = options;
  const { name, attributes } = hostCookie(config, lastConnectionCookie);
  return {
    read(cookies) {
      const value = cookies[name];
      const opened = value === undefined ? "malformed" : openText(keys(), value);
      if (typeof opened === "string") return null;
      const [origin, id] = opened.text.split(" ");
      return origin === config.origin && id !== undefined ? id : null;
    },
    write(id) {
      const sealed = sealText(keys(), {}, `${config.origin} ${id}`);
      return setCookie(name, sealed, attributes, nowSeconds({ clock }) + keptSeconds);
    },
  };
}
