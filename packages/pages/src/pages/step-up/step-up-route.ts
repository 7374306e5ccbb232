import type { PageApp } from "../page-deps.ts";
import { pageResponse } from "../page-response.ts";
import { setStepUpFlash } from "./step-up-flash.ts";
import { type StepUpFacts, stepUpPage } from "./step-up-screen.tsx";

/** The path of the page, below the prefix of pages. */
export const stepUpPath = "/step-up";

/**
 * Adds the page between a page that demands more and its sign-in.
 *
 * @param prefix - of the pages, if the routes of the app have it
 */
export function addStepUpPage(app: PageApp, prefix = ""): void {
  app.get(prefix + stepUpPath, (context) => {
    const { config, rendering } = context.env.deps;
    const { returnTo, stepUp, maxAge } = context.req.query();
    const parameters = Object.entries({ returnTo, stepUp }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    // Login checks both: here they are only carried along.
    const query = new URLSearchParams(parameters).toString();
    const facts: StepUpFacts = {
      signInURL: `${rendering.site.loginURL}?${query}`,
      maxAge: /^\d{1,9}$/.test(maxAge ?? "") ? Number(maxAge) : undefined,
      hasForm: returnTo === `${config.basePath}${config.pagesPrefix}/form`,
    };
    const response = pageResponse(context, stepUpPage(facts));
    // The page of a kept form gives thanks by itself.
    if (!facts.hasForm) response.headers.append("Set-Cookie", setStepUpFlash(rendering));
    return response;
  });
}
