import { Refusal, type RequestAuth } from "latchkey";

import type { Page } from "../../rendering/page.ts";
import { signedInResponse } from "../new-sign-in/new-sign-in-response.ts";
import type { PageApp, PageDeps } from "../page-deps.ts";
import { pageResponse } from "../page-response.ts";
import { endedPage } from "./ended-screen.tsx";
import { endedView, homeView } from "./home-data.ts";
import { homePage } from "./home-screen.tsx";
import { welcomePage } from "./welcome-screen.tsx";

interface HomeDeps extends PageDeps {
  /** Whether the provider has failed lately. */
  readonly isProviderDown: () => boolean;
}

/** Adds the home page: one for visitors, one for signed-in people. */
export function addHomePage(app: PageApp, deps: HomeDeps): void {
  app.get("/", (context) => {
    const page = pageFor(context.var.auth, context.req.url, deps);
    return page.access === "signed-in"
      ? signedInResponse(deps, context, page)
      : pageResponse(context, page, deps.rendering);
  });
}

function pageFor(auth: RequestAuth, url: string, deps: HomeDeps): Page {
  const { config, isProviderDown } = deps;
  try {
    const { session, ended: reason, endedTimes: times } = auth;
    if (session !== null) return welcomePage(session);
    if (reason !== undefined) return endedPage(endedView(url, config, { reason, times }));
    return homePage(homeView(url, config, isProviderDown() ? "provider-down" : undefined));
  } catch (error) {
    // The page is public: it opens even if no session can be read.
    if (!(error instanceof Refusal)) throw error;
    return homePage(homeView(url, config, "store-down"));
  }
}
