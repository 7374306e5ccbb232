import { signedInResponse } from "../new-sign-in/new-sign-in-response.ts";
import type { PageApp, PageDeps } from "../page-deps.ts";
import { sampleView } from "./sample-data.ts";
import { samplePage } from "./sample-screen.tsx";

/** Adds a page and an API as an app has them, for signed-in people. */
export function addSamplePage(app: PageApp, deps: PageDeps): void {
  app.get("/sample", (context) => {
    const { session } = context.var.auth.require();
    const view = sampleView(context.req.url);
    return signedInResponse(deps, context, samplePage(view, session));
  });
  app.get("/api/sample", (context) => {
    const { user } = context.var.auth.require();
    return context.json({
      message: "You can read this because you are signed in.",
      sub: user.sub,
    });
  });
}
