import type { PageApp, PageDeps } from "../page-deps.ts";
import { pageResponse } from "../page-response.ts";
import { sampleView } from "./sample-data.ts";
import { samplePage } from "./sample-screen.tsx";

/** Adds a page and an API as an app has them, for signed-in people. */
export function addSamplePage(app: PageApp, { rendering }: PageDeps): void {
  app.get("/sample", (context) => {
    const { session } = context.var.auth.require();
    const view = sampleView(context.req.url);
    return pageResponse(context, samplePage(view, session), rendering);
  });
  app.get("/api/sample", (context) => {
    const { user } = context.var.auth.require();
    return context.json({
      message: "You can read this because you are signed in.",
      sub: user.sub,
    });
  });
}
