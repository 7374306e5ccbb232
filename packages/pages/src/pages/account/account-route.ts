import { signedInResponse } from "../page-response.ts";
import type { PageApp } from "../page-deps.ts";
import { accountView } from "./account-data.ts";
import { accountPage } from "./account-screen.tsx";
import { detailsPage } from "./details/details-screen.tsx";

/** Adds the pages about the person who is signed in. */
export function addAccountPages(app: PageApp): void {
  app.get("/account", (context) => {
    const { config, rendering } = context.env.deps;
    const { session } = context.var.auth.require();
    const view = accountView(session, rendering.now(), config.organization);
    return signedInResponse(context, accountPage(view, session));
  });
  app.get("/account/details", (context) => {
    const { session } = context.var.auth.require();
    return signedInResponse(context, detailsPage(session));
  });
}
