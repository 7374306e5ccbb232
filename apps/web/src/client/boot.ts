import type { InitialSession, Paths } from "latchkey/react";

import type { IslandSettings } from "../live/island.tsx";

/** A person with the times of the session and the server's clock. */
type Seed = Extract<InitialSession, { readonly now: number }>;

/** What a page for a signed-in person brings along from the server. */
export interface Boot {
  /** What the server knew when it made the page. */
  readonly seed: Seed;
  readonly paths: Paths;
  /** Whether the server tells the end of the session as it comes. */
  readonly isLive: boolean;
  readonly settings: IslandSettings;
  /** For dates and numbers, e.g. `de-AT`. */
  readonly locale: string;
  /** Where the texts of the islands are, as JSON. */
  readonly wordsURL: string;
}

/** Id of the element that carries it. */
export const bootElementID = "boot";

/** Reads what the server put into the page. */
export function readBoot(page: Document): Boot | undefined {
  const text = page.getElementById(bootElementID)?.textContent;
  // Written by our own server in the same release.
  return text === undefined ? undefined : (JSON.parse(text) as Boot);
}
