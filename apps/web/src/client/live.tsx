import { createSessionClient, type SessionClient } from "latchkey/react";
import { hydrateRoot } from "react-dom/client";

import type { PageFrame } from "../components/page-frame.tsx";
import { IslandContent, isIslandName } from "../live/island.tsx";
import { LiveFrame } from "../live/live-frame.tsx";
import { createWords } from "../messages/words.ts";
import { type Boot, readBoot } from "./boot.ts";

const boot = readBoot(document);
if (boot !== undefined) hydrateIslands(boot, document);

/** Hydrates every island of the page; all of them share one session client. */
function hydrateIslands(facts: Boot, page: Document): void {
  const { site, now, language, locale, messages, paths, seed } = facts;
  const words = createWords(language, locale, (key) => messages[key] ?? key);
  const frame: PageFrame = { site, words, now };
  const client = createSessionClient({ paths, initialSession: seed });
  for (const place of page.querySelectorAll<HTMLElement>("[data-island]")) {
    const name = place.dataset["island"];
    if (!isIslandName(name)) continue;
    hydrateRoot(
      place,
      <LiveFrame frame={frame} facts={facts} client={client}>
        <IslandContent name={name} />
      </LiveFrame>,
    );
  }
  tellOtherTabs(page, site.logoutURL, client);
}

/** A sign-out form outside of the islands tells the other tabs as well. */
function tellOtherTabs(page: Document, logoutURL: string, client: SessionClient): void {
  page.addEventListener("submit", ({ target }) => {
    if (!(target instanceof HTMLFormElement)) return;
    if (target.action === logoutURL || "leavesHere" in target.dataset) client.announceSignOut();
  });
}
