import type { Config } from "../config/config.ts";
import type { Observer } from "../config/telemetry/telemetry.ts";
import { chunkCapacity, chunkNames, splitIntoChunks } from "../http/chunks.ts";
import { attributesText, clearCookie, type Cookies } from "../http/cookies.ts";
import { cookieName } from "../http/headers.ts";

/** Writes and clears the session cookie, in as many chunks as it takes. */
export interface SessionCookie {
  /** `expires` in epoch seconds. Clears every chunk of the request that is not written anew. */
  write(value: string, expires: number, cookies: Cookies): readonly string[];
  clear(cookies: Cookies): readonly string[];
}

/** Chunks that a cross-site POST may have left unseen: such a request carries no session cookie. */
const unseenChunks = 8;

export function createSessionCookie(
  { session, responseMode }: Config,
  measure?: Observer["measure"],
): SessionCookie {
  const { name, cookie: attributes, transient } = session;
  const capacity = chunkCapacity(name, attributes, !transient);
  const clearAll = (names: readonly string[]) => names.map((each) => clearCookie(each, attributes));

  return {
    write(value, expires, cookies) {
      measure?.({ of: "cookie-size", cookie: "session", bytes: value.length });
      const chunks = splitIntoChunks(name, value, capacity);
      const behind = attributesText(attributes, transient ? undefined : expires);
      const written = chunks.map(([chunk, part]) => `${chunk}=${part}${behind}`);
      const kept = new Set(chunks.map(([chunk]) => chunk));
      const stale = chunkNames(name, cookies).filter((present) => !kept.has(present));
      return stale.length === 0 ? written : [...written, ...clearAll(stale)];
    },
    clear(cookies) {
      const present = chunkNames(name, cookies);
      return clearAll(present.length === 0 && responseMode === "form_post" ? [name] : present);
    },
  };
}

/** The clearing of chunks that may be there although the request could not carry them. */
export function clearAllChunks(
  { session: { name, cookie } }: Config,
  written: readonly string[],
): readonly string[] {
  const kept = new Set(written.map(cookieName));
  const possible = [
    name,
    ...Array.from({ length: unseenChunks }, (_, index) => `${name}.${index}`),
  ];
  return possible.filter((each) => !kept.has(each)).map((each) => clearCookie(each, cookie));
}
