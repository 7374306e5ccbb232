import type { Context, Hono } from "hono";
import type { Config } from "latchkey";
import type { LatchkeyEnvironment } from "latchkey/hono";
import type { Logger } from "pino";

import type { RenderContext } from "../rendering/render-context.ts";

/** What the routes of pages work with. */
export interface PageDeps {
  readonly config: Config;
  readonly rendering: RenderContext;
  readonly logger: Logger;
  readonly isProviderDown: () => boolean;
}

export type PageApp = Hono<LatchkeyEnvironment>;

export type PageContext = Context<LatchkeyEnvironment>;
