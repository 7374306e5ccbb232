import type { Awaitable } from "../awaitable.ts";
import type { Cookies } from "../http/cookies.ts";
import type { StoredSession } from "./session.ts";

/**
 * What a request carries: a session; none, `null`; one that nobody can read, `"unreadable"`; or one that was taken away
 * from another device, `"elsewhere"`.
 */
export type Loaded = StoredSession | null | "unreadable" | "elsewhere";

/**
 * Where sessions live: in the cookie itself, or in a store with an id in the cookie.
 *
 * Values in, values out: what is written comes back as `Set-Cookie` values for the answer.
 */
export interface SessionStorage {
  load(cookies: Cookies): Awaitable<Loaded>;
  /** A session that did not exist before. */
  create(session: StoredSession, cookies: Cookies): Awaitable<readonly string[]>;
  /** A session that goes on. `null` where it was ended meanwhile: then nothing may be written. */
  renew(session: StoredSession, cookies: Cookies): Awaitable<readonly string[] | null>;
  /** Takes it away, at once and for good. */
  remove(cookies: Cookies): Awaitable<readonly string[]>;
}
