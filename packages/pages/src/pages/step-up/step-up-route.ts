import type { PageApp, PageDeps } from "../page-deps.ts";
import { pageResponse } from "../page-response.ts";
import { type StepUpFacts, stepUpPage } from "./step-up-screen.tsx";

/** The path of the page, below the prefix of pages. */
export const stepUpPath = "/step-up";

/** Adds the page between a page that demands more and its sign-in. */
export function addStepUpPage(app: PageApp, { config, rendering }: PageDeps): void {
  const formPath = `${config.basePath}${config.pagesPrefix}/form`;
  app.get(stepUpPath, (context) => {
    const { returnTo, stepUp, maxAge } = context.req.query();
    const parameters = Object.entries({ returnTo, stepUp }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    // Login checks both: here they are only carried along.
    const query = new URLSearchParams(parameters).toString();
    const facts: StepUpFacts = {
      signInURL: `${rendering.site.loginURL}?${query}`,
      maxAge: /^\d{1,9}$/.test(maxAge ?? "") ? Number(maxAge) : undefined,
      hasForm: returnTo === formPath,
    };
    return pageResponse(context, stepUpPage(facts), rendering);
  });
}
