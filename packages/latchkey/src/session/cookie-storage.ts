import type { KeyRing } from "../crypto/keys.ts";
import { joinChunks } from "../http/chunks.ts";
import type { Awaitable } from "../stores/store.ts";
import type { Party } from "./ended-list.ts";
import { openSession, sealSession } from "./sealed-session.ts";
import type { StoredSession } from "./session.ts";
import type { SessionCookie } from "./session-cookie.ts";
import type { SessionStorage } from "./storage.ts";

export interface CookieStorageParts {
  readonly name: string;
  readonly cookie: SessionCookie;
  readonly party: Party;
  readonly keys: () => Awaitable<KeyRing>;
}

/** Sessions that live in the cookie alone. */
export function cookieStorage({ name, cookie, party, keys }: CookieStorageParts): SessionStorage {
  const write: SessionStorage["create"] = async (session, cookies) =>
    cookie.write(await sealSession(await keys(), session), session.header.exp, cookies);

  return {
    async load(cookies) {
      const values = joinChunks(name, cookies);
      if (values.length === 0) return null;
      const ring = await keys();
      const [only, other] = values;
      if (only !== undefined && other === undefined) {
        return (await openSession(ring, party, only)) ?? "unreadable";
      }
      const opened = await Promise.all(values.map((value) => openSession(ring, party, value)));
      return newest(opened) ?? "unreadable";
    },
    create: write,
    renew: write,
    remove: (cookies) => Promise.resolve(cookie.clear(cookies)),
  };
}

/** An old plain cookie may lie beside new chunks: the one used last is the session. */
function newest(sessions: readonly (StoredSession | null)[]): StoredSession | null {
  let best: StoredSession | null = null;
  for (const session of sessions) {
    if (session !== null && (best === null || session.header.uat > best.header.uat)) best = session;
  }
  return best;
}
