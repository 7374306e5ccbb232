import type { Hono } from "hono";
import { type Visit, withHeaders } from "latchkey";

import type { Page } from "../../rendering/page.ts";
import type { PageDeps } from "../page-deps.ts";
import { pageResponse } from "../page-response.ts";
import { endedPage } from "./ended-screen.tsx";
import { endedView, homeView } from "./home-data.ts";
import { homePage } from "./home-screen.tsx";
import { welcomePage } from "./welcome-screen.tsx";

/** Adds the home page: one for visitors, one for people who are signed in. */
export function addHomePage(app: Hono, deps: PageDeps): void {
  app.get("/", async ({ req: { raw } }) => {
    const visit = await deps.auth.visit(raw);
    const page = pageFor(visit, raw.url, deps);
    return withHeaders(pageResponse(raw, page, deps.rendering), visit.headers);
  });
}

function pageFor({ session, ended }: Visit, url: string, deps: PageDeps): Page {
  const { config } = deps.auth;
  if (session !== null) return welcomePage(session);
  if (ended !== undefined) return endedPage(endedView(url, config, ended));
  return homePage(homeView(url, config, deps.isProviderDown()));
}
