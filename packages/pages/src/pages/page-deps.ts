import type { Context, Hono } from "hono";
import type { Config } from "latchkey";
import type { LatchkeyEnvironment } from "latchkey/hono";

import type { RenderContext } from "../rendering/render-context.ts";

/** Receives what operators should know. */
export type PageLog = Readonly<Record<"info" | "warn" | "error", (line: object) => void>>;

/** What the routes of pages work with. */
export interface PageDeps {
  readonly config: Config;
  readonly rendering: RenderContext;
  readonly logger: PageLog;
  readonly isProviderDown: () => boolean;
}

export type PageApp = Hono<LatchkeyEnvironment>;

export type PageContext = Context<LatchkeyEnvironment>;
