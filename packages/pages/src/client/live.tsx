import { createSessionClient, type WatchedSession, type Words } from "latchkey/react";

import { IslandContent, isIslandName } from "../live/island.tsx";
import { LiveFrame } from "../live/live-frame.tsx";
import { bringToLife } from "../live/bring-to-life.ts";
import type { Boot } from "./boot.ts";

/**
 * Hydrates every island of the page; all of them share one session client.
 *
 * @param session what is known of it now: the page may have been made long ago
 */
export async function hydrateIslands(
  boot: Boot,
  page: Document,
  { times, now }: WatchedSession,
): Promise<void> {
  const { paths, settings, locale, wordsURL } = boot;
  const seed = { ...boot.seed, times, now };
  const response = await fetch(wordsURL);
  // Written by our own server; another release of it has the same texts.
  const words = { ...((await response.json()) as Words), lang: locale };
  const client = createSessionClient({ paths, initialSession: seed });
  for (const place of page.querySelectorAll<HTMLElement>("[data-island]")) {
    const name = place.dataset["island"];
    if (!isIslandName(name)) continue;
    bringToLife(
      place,
      <LiveFrame facts={{ seed, paths, words }} client={client}>
        <IslandContent name={name} settings={settings} />
      </LiveFrame>,
    );
  }
  void client.refetch();
}
