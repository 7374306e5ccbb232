import type { Context, Hono } from "hono";
import type { Config, PageRequest, RequestAuth } from "latchkey";
import type { LatchkeyEnvironment } from "latchkey/hono";

import type { RenderContext } from "../rendering/render-context.ts";

/** What the routes of pages work with. */
export interface PageDeps {
  readonly config: Config;
  readonly rendering: RenderContext;
  /** Logs a warning for operators. */
  readonly warn: (message: string) => void;
}

export interface PageEnvironment extends LatchkeyEnvironment {
  Bindings: {
    /** The request as the app has received it. */
    page: PageRequest<RequestAuth>;
    /** Those of its site. */
    deps: PageDeps;
  };
}

export type PageApp = Hono<PageEnvironment>;

export type PageContext = Context<PageEnvironment>;
