import type { Awaitable } from "../crypto/awaitable.ts";
import type { KeyRing } from "../crypto/keys.ts";
import type { Cookies } from "../http/cookies.ts";
import type { Store } from "../stores/store.ts";
import type { Party } from "./ended-list.ts";
import { openSession, sealSession } from "./sealed-session.ts";
import type { SessionCookie } from "./session-cookie.ts";
import type { SessionStorage } from "./storage.ts";

export interface StoreStorageParts {
  readonly name: string;
  readonly cookie: SessionCookie;
  readonly party: Party;
  readonly keys: () => Awaitable<KeyRing>;
  readonly store: Store;
  /** A new unguessable name, at least 128 bits. */
  readonly newHandle: () => string;
}

const handleForm = /^[\w-]{43}$/;

/**
 * Sessions that live in a store. The cookie holds a random handle; the store holds the sealed session under the
 * handle's hash, so that who reads the store can neither read a session nor use one.
 */
export function storeStorage(parts: StoreStorageParts): SessionStorage {
  const { name, cookie, party, keys, store, newHandle } = parts;
  const handleIn = (cookies: Cookies): string | null => {
    const value = cookies[name];
    return value !== undefined && handleForm.test(value) ? value : null;
  };

  return {
    async load(cookies) {
      if (cookies[name] === undefined || cookies[name] === "") return null;
      const handle = handleIn(cookies);
      if (handle === null) return "unreadable";
      const [sealed] = await store.get([await keyOf(handle)]);
      if (sealed == null) return "unreadable";
      return (await openSession(await keys(), party, sealed)) ?? "unreadable";
    },
    async create(session, cookies) {
      const old = handleIn(cookies);
      if (old !== null) await store.delete(await keyOf(old));
      const handle = newHandle();
      const { exp } = session.header;
      await store.set(await keyOf(handle), await sealSession(await keys(), session), exp);
      return cookie.write(handle, exp, cookies);
    },
    async renew(session, cookies) {
      const handle = handleIn(cookies);
      if (handle === null) return null;
      const { exp } = session.header;
      const sealed = await sealSession(await keys(), session);
      const written = await store.replace(await keyOf(handle), sealed, exp);
      return written ? cookie.write(handle, exp, cookies) : null;
    },
    async remove(cookies) {
      const handle = handleIn(cookies);
      if (handle !== null) await store.delete(await keyOf(handle));
      return cookie.clear(cookies);
    },
  };
}

async function keyOf(handle: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(handle));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return `session|${hex.join("")}`;
}
