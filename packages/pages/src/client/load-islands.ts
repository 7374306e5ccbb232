import type { WatchedSession } from "latchkey/react";

import type { Boot } from "./boot.ts";

type Load = (session: WatchedSession) => void;

/** The islands are requested a few times from a server which has other files by now. */
const attemptsAtMost = 5;

/**
 * Returns a function that loads the islands and hydrates them, once. After a failure the next call
 * tries again; if the server does not have them any longer, the page is loaded again when the
 * session has ended.
 */
export function loadIslands(boot: Boot, page: Document): Load {
  let attempts = 0;
  let isLoading = false;
  const load = async (session: WatchedSession) => {
    try {
      const { hydrateIslands } = await import("./live.tsx");
      await hydrateIslands(boot, page, session);
    } catch {
      isLoading = false;
      attempts += 1;
      if (navigator.onLine && attempts > attemptsAtMost) location.reload();
    }
  };
  return (session) => {
    if (isLoading) return;
    isLoading = true;
    void load(session);
  };
}
