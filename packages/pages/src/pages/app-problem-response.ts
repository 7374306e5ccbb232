import type { RequestAuth, Session } from "latchkey";

import type { PageContext, PageDeps } from "./page-deps.ts";
import { problemResponse } from "./page-response.ts";
import { appProblem, type AppProblemKind } from "./problem/app-problems.ts";

/** Responds with a problem of the app's own: the person and the log get the same reference. */
export function appProblemResponse(
  { config, rendering, logger }: PageDeps,
  context: PageContext,
  kind: AppProblemKind,
  error?: unknown,
): Response {
  const { baseURL, routes } = config;
  const problem = appProblem(kind, { baseURL, loginPath: routes.login, now: rendering.now });
  const { reason, status, reference } = problem;
  const line = { event: "refusal", route: "page", reason, status, reference, error };
  if (status >= 500) logger.error(line);
  else logger.info(line);
  const facts = { formPosted: context.req.method === "POST" };
  return problemResponse(context, problem, rendering, sessionOf(context.var.auth), facts);
}

/** Without the store the page still shows the problem. */
function sessionOf(auth: RequestAuth): Session | null {
  try {
    return auth.session;
  } catch {
    return null;
  }
}
