import type { Site } from "../components/page-frame.tsx";
import type { LiveFacts } from "../live/live-frame.tsx";
import type { CompiledMessage } from "../messages/words.ts";

/** What a live page brings along from the server. */
export interface Boot extends LiveFacts {
  readonly site: Site;
  /** The server's clock when the page was made, epoch seconds. */
  readonly now: number;
  readonly language: string;
  readonly locale: string;
  /** The messages that islands say. */
  readonly messages: Readonly<Record<string, CompiledMessage>>;
}

/** First parts of the names of those messages. */
export const islandMessages: readonly string[] = [
  "language.",
  "session.",
  "shell.footer.until",
  "when.",
];

/** Id of the element that carries it. */
export const bootElementID = "boot";

/** Reads what the server put into the page. */
export function readBoot(page: Document): Boot | undefined {
  const text = page.getElementById(bootElementID)?.textContent;
  // Written by our own server in the same release.
  return text === undefined ? undefined : (JSON.parse(text) as Boot);
}
