import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import type { Config, RequestAuth } from "latchkey";
import type { Logger } from "pino";

import type { RenderContext } from "../rendering/render-context.ts";

/** What the routes of pages work with. */
export interface PageDeps {
  readonly config: Config;
  readonly rendering: RenderContext;
  readonly logger: Logger;
  readonly isProviderDown: () => boolean;
}

/** What every route finds in its context: Node's request, and who makes it. */
export interface PageEnv {
  Bindings: HttpBindings;
  Variables: { auth: RequestAuth };
}

export type PageApp = Hono<PageEnv>;

export type PageContext = Context<PageEnv>;
