import type { Hono } from "hono";

import type { PageDeps } from "../page-deps.ts";
import { protectedPage } from "../protected-page.ts";
import { accountView } from "./account-data.ts";
import { accountPage } from "./account-screen.tsx";

/** Adds the page about the person who is signed in. */
export function addAccountPage(app: Hono, deps: PageDeps): void {
  const { auth, rendering } = deps;
  const { organization } = auth.config;
  app.get(
    "/account",
    protectedPage(deps, (_request, session) =>
      accountPage(accountView(session, rendering.now(), organization), session),
    ),
  );
}
