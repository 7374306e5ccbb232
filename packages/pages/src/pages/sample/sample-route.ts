import { signedInResponse } from "../page-response.ts";
import type { PageApp } from "../page-deps.ts";
import { sampleView } from "./sample-data.ts";
import { samplePage } from "./sample-screen.tsx";

/** Adds a page as an app has them, for signed-in people. */
export function addSamplePage(app: PageApp): void {
  app.get("/sample", (context) => {
    const { session } = context.var.auth.require();
    const view = sampleView(context.env.page.url);
    return signedInResponse(context, samplePage(view, session));
  });
}
