import type { Auth } from "latchkey";
import type { Logger } from "pino";

import type { RenderContext } from "../rendering/render-context.ts";

/** What the routes of pages work with. */
export interface PageDeps {
  readonly auth: Auth;
  readonly rendering: RenderContext;
  readonly logger: Logger;
  readonly isProviderDown: () => boolean;
}
