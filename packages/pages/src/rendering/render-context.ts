import type { Paths } from "latchkey/react";

import type { Site } from "../components/page-frame.tsx";
import type { Vocabulary } from "../messages/vocabulary.ts";
import type { DocumentParts } from "./document-parts.ts";
import type { LiveWords } from "./live-words.ts";
import type { PageAssets } from "./page-assets.ts";

/** What every page of the application is rendered with. */
export interface RenderContext {
  readonly site: Site;
  readonly vocabulary: Vocabulary;
  readonly liveWords: LiveWords;
  readonly assets: PageAssets;
  /** Paths of the engine for scripts in the browser. */
  readonly paths: Paths;
  /** Whether pages listen to the end of the session. */
  readonly isLive: boolean;
  /** Epoch seconds. */
  readonly now: () => number;
  /** Makes the coding `gzip` of a page; without it pages are sent as they are. */
  readonly compress?: (parts: DocumentParts) => Uint8Array<ArrayBuffer>;
}
