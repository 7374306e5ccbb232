import type { Site } from "../components/page-frame.tsx";
import type { CompiledMessage } from "../messages/words.ts";
import type { LiveView } from "../screens/live-view.tsx";

/** What a live page brings along from the server. */
export interface Boot {
  readonly view: LiveView;
  readonly site: Site;
  /** The server's clock when the page was made, epoch seconds. */
  readonly now: number;
  readonly language: string;
  readonly locale: string;
  readonly messages: Readonly<Record<string, CompiledMessage>>;
}

const place = "boot";

/** Reads what the server put into the page. */
export function readBoot(page: Document): Boot | undefined {
  const text = page.getElementById(place)?.textContent;
  // Written by our own server in the same release, by `bootJSON`.
  return text === undefined ? undefined : (JSON.parse(text) as Boot);
}
