import { transactionLifetimeSeconds } from "../config/constants.ts";
import type { Clocks } from "../time/deadline.ts";
import { createRecentMap } from "../time/recent-map.ts";
import { type CookieRefresh, refreshKey } from "./refresh-result.ts";
import type { SessionContent } from "./seal.ts";
import type { StoredSession } from "./session.ts";

/** Whether the browser has a newer session in place of the ended one. */
export type SessionEnding = "ended" | "replaced";

/**
 * What this process has lately done with sessions: older requests, for example of another tab, must
 * not undo it, nor log it again.
 */
export interface RecentSessions {
  /** Remembers the update of a session; a cookie may still hold what was there before. */
  rememberUpdate(stored: StoredSession): void;
  /**
   * Whether a session in a cookie has been updated since: it must not be written. In the store,
   * compare-and-set keeps the order.
   */
  isOutdated(stored: StoredSession): boolean;
  rememberEnd(id: string, ending: SessionEnding): void;
  /** How a session has ended; `null` if it has not. */
  endingOf(id: string | undefined): SessionEnding | null;
  /** Returns `false` if the end of a session was logged before. */
  rememberLoggedEnd(id: string): boolean;
  /** Remembers what became of the refresh token of a session in a cookie. */
  rememberRefresh(content: SessionContent, refresh: CookieRefresh): void;
  refreshOf(content: SessionContent): CookieRefresh | undefined;
}

/** Hardly a response takes longer to begin. */
const longestRequestMs = 60_000;
/** The browser of a lost response comes back within this time, or its refresh token is lost. */
const rememberRefreshMs = 86_400_000;

export function createRecentSessions(clocks: Clocks): RecentSessions {
  const changes = createRecentMap<number | SessionEnding>({
    ...clocks,
    keepMs: longestRequestMs,
    atMost: 10_000,
  });
  const loggedEnds = createRecentMap<true>({
    ...clocks,
    keepMs: transactionLifetimeSeconds * 1000,
    atMost: 10_000,
  });
  const refreshes = createRecentMap<CookieRefresh>({
    ...clocks,
    keepMs: rememberRefreshMs,
    atMost: 2000,
  });

  function isOutdated({ header: { id, changed = 0 }, record }: StoredSession): boolean {
    const change = changes.get(id);
    return record === null && typeof change === "number" && change > changed;
  }

  return {
    rememberUpdate(stored) {
      const { id, changed } = stored.header;
      if (changed !== undefined && !isOutdated(stored)) changes.set(id, changed);
    },
    isOutdated,
    rememberEnd: (id, ending) => changes.set(id, ending),
    endingOf(id) {
      const change = id === undefined ? undefined : changes.get(id);
      return typeof change === "string" ? change : null;
    },
    rememberLoggedEnd: (id) => loggedEnds.add(id, true),
    rememberRefresh(content, refresh) {
      const { refreshToken } = content.data;
      if (refreshToken !== undefined) refreshes.set(refreshKey(content, refreshToken), refresh);
    },
    refreshOf(content) {
      const { refreshToken } = content.data;
      return refreshToken === undefined
        ? undefined
        : refreshes.get(refreshKey(content, refreshToken));
    },
  };
}
