import { andThen, type Awaitable } from "../awaitable.ts";
import type { KeyRing } from "../crypto/keys.ts";
import { joinChunks } from "../http/chunks.ts";
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
  const write: SessionStorage["create"] = (session, cookies) =>
    andThen(keys(), (ring) =>
      andThen(sealSession(ring, session), (sealed) =>
        cookie.write(sealed, session.header.exp, cookies),
      ),
    );

  return {
    load(cookies) {
      const [value, other] = joinChunks(name, cookies);
      if (value === undefined) return null;
      return andThen(keys(), (ring) =>
        andThen(openSession(ring, party, value), (session) =>
          other === undefined
            ? (session ?? "unreadable")
            : andThen(
                openSession(ring, party, other),
                (twin) => newer(session, twin) ?? "unreadable",
              ),
        ),
      );
    },
    create: write,
    renew: write,
    remove: (cookies) => cookie.clear(cookies),
  };
}

/** An old plain cookie may lie beside new chunks: the one used last is the session. */
function newer(one: StoredSession | null, other: StoredSession | null): StoredSession | null {
  if (one === null || other === null) return one ?? other;
  return other.header.uat > one.header.uat ? other : one;
}
