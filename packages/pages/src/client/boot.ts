import type { InitialSession, Paths } from "latchkey/react";

import type { IslandSettings } from "../live/island.tsx";

/** A person with the times of the session and the server's clock. */
type Seed = Extract<InitialSession, { readonly now: number }>;

/** Data of the server for all pages of a language for signed-in people. */
export interface SharedBoot {
  readonly paths: Paths;
  /** Whether the server sends the end of the session as it comes. */
  readonly isLive: boolean;
  readonly settings: IslandSettings;
  /** Address of the texts of the islands, as JSON. */
  readonly wordsURL: string;
}

/** The same, and what belongs to one page. */
export interface Boot extends SharedBoot {
  /** What the server knew when it made the page. */
  readonly seed: Seed;
  /** For dates and numbers, e.g. `de-AT`. */
  readonly locale: string;
}

/** Ids of the elements with this data, as JSON. */
export const bootElementID = "boot";
export const seedElementID = "seed";

/** Reads what the server put into the page. */
export function readBoot(page: Document): Boot | undefined {
  const [shared, seed] = [bootElementID, seedElementID].map(
    (id) => page.getElementById(id)?.textContent,
  );
  if (shared === undefined || seed === undefined) return undefined;
  // Written by our own server in the same release.
  return {
    ...(JSON.parse(shared) as SharedBoot),
    seed: JSON.parse(seed) as Seed,
    locale: page.body.dataset["locale"] ?? "",
  };
}
