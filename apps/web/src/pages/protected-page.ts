import type { Context } from "hono";
import { type Session, withHeaders } from "latchkey";

import type { Page } from "../rendering/page.ts";
import type { PageDeps } from "./page-deps.ts";
import { pageResponse } from "./page-response.ts";
import { appProblemResponse } from "./app-problem-response.ts";

/** Responds to a signed-in person. */
export type SignedInHandler = (
  request: Request,
  session: Session,
  context: Context,
) => Response | Promise<Response>;

/** Lets signed-in people through, and puts the session's headers on the response. */
export function protect(
  deps: PageDeps,
  handle: SignedInHandler,
): (context: Context) => Promise<Response> {
  const { auth } = deps;
  return async (context) => {
    const request = context.req.raw;
    const guarded = await auth.guard(request);
    if (!guarded.passed) return guarded.response;
    const { session } = guarded.visit ?? (await auth.visit(request));
    const response =
      session === null
        ? appProblemResponse(deps, request, "sign-in-needed")
        : await handle(request, session, context);
    // Read again: the handler may have renewed or ended the session.
    return withHeaders(response, (await auth.visit(request)).headers);
  };
}

/** A page that only signed-in people see. */
export function protectedPage(
  deps: PageDeps,
  pageFor: (request: Request, session: Session) => Page,
): (context: Context) => Promise<Response> {
  return protect(deps, (request, session) =>
    pageResponse(request, pageFor(request, session), deps.rendering),
  );
}
