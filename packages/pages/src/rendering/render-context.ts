import type { AuthRequest } from "latchkey";
import type { Paths } from "latchkey/react";

import type { Site } from "../components/page-frame.tsx";
import type { Vocabulary } from "../messages/vocabulary.ts";
import type { Scheme } from "./brand.ts";
import type { LiveWords } from "./live-words.ts";
import type { PageAssets } from "./page-assets.ts";

/** Chooses the look of the page of a request. */
export type Choose = (request: AuthRequest) => {
  readonly scheme: Scheme;
  /** As in `Accept-Language`; `undefined` for that of the request. */
  readonly language: string | undefined;
};

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
  /** What the app chooses for a request; by default the device and the browser do. */
  readonly choose?: Choose | undefined;
  /** How users know a connection, if they choose between several; `undefined` for an unknown id. */
  readonly labelOf?: ((connection: string) => string | undefined) | undefined;
  /** Epoch seconds. */
  readonly now: () => number;
}
