import type { WatchedSession } from "latchkey/react";

import type { Boot } from "./boot.ts";

type Load = (session: WatchedSession) => void;

/** A server that has other files now is asked for them a few times. */
const attemptsAtMost = 5;

/**
 * A function that loads the islands and hydrates them, once. Where they cannot be loaded, the next calls try again;
 * where the server does not have them any longer, the page is loaded again once the session has ended.
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
