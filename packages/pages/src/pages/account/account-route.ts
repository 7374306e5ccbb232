import { pageResponse } from "../page-response.ts";
import type { PageApp, PageDeps } from "../page-deps.ts";
import { accountView } from "./account-data.ts";
import { accountPage } from "./account-screen.tsx";
import { detailsPage } from "./details/details-screen.tsx";

/** Adds the pages about the person who is signed in. */
export function addAccountPages(app: PageApp, { config, rendering }: PageDeps): void {
  app.get("/account", (context) => {
    const { session } = context.var.auth.require();
    const view = accountView(session, rendering.now(), config.organization);
    return pageResponse(context, accountPage(view, session), rendering);
  });
  app.get("/account/details", (context) => {
    const { session } = context.var.auth.require();
    return pageResponse(context, detailsPage(session), rendering);
  });
}
