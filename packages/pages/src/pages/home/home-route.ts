import { Refusal } from "latchkey";

import type { Page } from "../../rendering/page.ts";
import type { PageApp, PageContext } from "../page-deps.ts";
import { pageResponse, signedInResponse } from "../page-response.ts";
import { endedPage } from "./ended-screen.tsx";
import { endedView, homeView } from "./home-data.ts";
import { homePage } from "./home-screen.tsx";
import { welcomePage } from "./welcome-screen.tsx";

/**
 * Adds the home page: one for visitors, one for signed-in people.
 *
 * @param isProviderDown - whether the provider has failed lately
 */
export function addHomePage(app: PageApp, isProviderDown: () => boolean): void {
  app.get("/", (context) => {
    const page = pageFor(context, isProviderDown);
    return page.access === "signed-in"
      ? signedInResponse(context, page)
      : pageResponse(context, page);
  });
}

function pageFor({ env, req, var: { auth } }: PageContext, isProviderDown: () => boolean): Page {
  const { config } = env.deps;
  const { url } = req;
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
