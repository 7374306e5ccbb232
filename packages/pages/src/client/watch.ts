import { followEnds, keepAccountMenu, watchSession } from "latchkey/react";

import { readBoot } from "./boot.ts";
import { loadIslands } from "./load-islands.ts";
import { sayWhenOffline } from "./offline.ts";
import { showSession } from "./show-session.ts";

/*
 * Runs on every page for signed-in people, and is small: it watches the session, keeps the times of
 * the page right, and loads React with its islands when they have something to show.
 */
const boot = readBoot(document);
if (boot !== undefined) {
  const load = loadIslands(boot, document);
  const { paths, seed, isLive } = boot;
  const live = isLive ? followEnds : undefined;
  const watch = watchSession({ paths, initialSession: seed, live }, (session) => {
    showSession(document, session);
    if (session.needsAttention) load(session);
  });
  for (const menu of document.querySelectorAll<HTMLDetailsElement>(".lk-menu"))
    keepAccountMenu(menu);
  sayWhenOffline(document, window, watch);
  // A sign-out form informs the other tabs.
  document.addEventListener("submit", ({ target }) => {
    const { action, dataset } = target as HTMLFormElement;
    if (action.endsWith(boot.paths.logout) || "leavesHere" in dataset) watch.announceSignOut();
  });
  document.body.dataset["watched"] = "";
}
