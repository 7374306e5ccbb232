import type { Auth } from "../auth.ts";
import { withHeaders } from "../http/headers.ts";

/** The part of a Hono context that is used, so that no version of Hono is tied in. */
interface HonoContext {
  readonly req: { readonly raw: Request };
  res: Response;
}

/**
 * Sign-in as one Hono middleware: answers the auth routes, guards everything that is not public, and puts the
 * session's headers on what the app answers.
 *
 * Handlers read the session with `auth.visit(c.req.raw)`.
 */
export function signIn(auth: Auth) {
  return async (c: HonoContext, next: () => Promise<void>): Promise<Response | undefined> => {
    const request = c.req.raw;
    const answering = auth.handle(request);
    if (answering !== undefined) return answering;
    const guarded = await auth.guard(request);
    if (!guarded.passed) return guarded.response;
    await next();
    if (auth.hasVisited(request)) {
      c.res = withHeaders(c.res, (await auth.visit(request)).headers);
    }
    return undefined;
  };
}
