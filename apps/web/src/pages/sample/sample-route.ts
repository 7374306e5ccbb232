import type { Hono } from "hono";

import type { PageDeps } from "../page-deps.ts";
import { protectedPage } from "../protected-page.ts";
import { sampleView } from "./sample-data.ts";
import { samplePage } from "./sample-screen.tsx";

/** Adds a page as an app has it, for signed-in people. */
export function addSamplePage(app: Hono, deps: PageDeps): void {
  app.get(
    "/sample",
    protectedPage(deps, ({ url }, session) => samplePage(sampleView(url), session)),
  );
}
