import { andThen } from "../awaitable.ts";
import { joinChunks } from "../http/chunks.ts";
import type { SessionSeal } from "./session-seal.ts";
import type { StoredSession } from "./session.ts";
import type { SessionCookie } from "./session-cookie.ts";
import type { SessionStorage } from "./storage.ts";

export interface CookieStorageParts {
  readonly name: string;
  readonly cookie: SessionCookie;
  readonly seal: SessionSeal;
}

/** Sessions that live in the cookie alone. */
export function cookieStorage({ name, cookie, seal }: CookieStorageParts): SessionStorage {
  const write: SessionStorage["create"] = (session, cookies) =>
    andThen(seal.seal(session), (sealed) => cookie.write(sealed, session.header.exp, cookies));

  return {
    load(cookies) {
      const [value, other] = joinChunks(name, cookies);
      if (value === undefined) return null;
      return andThen(seal.open(value), (session) =>
        other === undefined
          ? (session ?? "unreadable")
          : andThen(seal.open(other), (twin) => newer(session, twin) ?? "unreadable"),
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
