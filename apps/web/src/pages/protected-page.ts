import type { Context } from "hono";
import { type Session, withHeaders } from "latchkey";

import { appProblem, type AppFault } from "./problem/app-problems.ts";
import type { AppParts } from "../start/routes.ts";
import { problemAnswer } from "./page-response.ts";

/** What answers a signed-in person. */
export type AnswerPerson = (
  request: Request,
  session: Session,
  context: Context,
) => Response | Promise<Response>;

/** Lets signed-in people through, and puts the session's headers on the answer. */
export function protect(
  parts: AppParts,
  answer: AnswerPerson,
): (context: Context) => Promise<Response> {
  const { auth } = parts;
  return async (context) => {
    const request = context.req.raw;
    const guarded = await auth.guard(request);
    if (!guarded.passed) return guarded.response;
    const { session } = guarded.visit ?? (await auth.visit(request));
    const answered =
      session === null
        ? fault(parts, request, "sign-in-needed")
        : await answer(request, session, context);
    // Asked again: what the answer did may have renewed or ended the session.
    return withHeaders(answered, (await auth.visit(request)).headers);
  };
}

/** A problem of the app's own: the person and the log get the same reference. */
export function fault(parts: AppParts, request: Request, kind: AppFault, error?: unknown) {
  const { auth, press, logger } = parts;
  const { baseURL, routes } = auth.config;
  const problem = appProblem(kind, { baseURL, loginPath: routes.login, now: press.now });
  const { reason, status, reference } = problem;
  const line = { event: "refusal", route: "page", reason, status, reference, err: error };
  if (status >= 500) logger.error(line);
  else logger.info(line);
  return problemAnswer(press, request, problem, { formPosted: request.method === "POST" });
}
