import { cookies } from "next/headers.js";

import type { Auth } from "../../index.ts";
import { fromFetchRequest } from "../../http/auth-request.ts";
import { setCookiesIn } from "../../http/headers.ts";
import { empty, toResponse } from "../../http/response-parts.ts";
import type { MaybePromise } from "../../time/maybe-promise.ts";
import { type CurrentRequest, setCookie } from "./current-request.ts";
import { hostRequest } from "./next-request.ts";
import { senderOf } from "./wire.ts";

/** A route handler of Next, as `route.ts` exports it by the name of a method. */
export type RouteHandler<Sent extends Request, Context> = (
  request: Sent,
  context: Context,
) => MaybePromise<Response>;

/**
 * A route handler whose response carries the session's headers, and whose refusals are responses of
 * ours: 401 or 403 in JSON, or the way to login.
 */
export function createRoute({ host }: Auth, current: CurrentRequest) {
  return <Sent extends Request, Context>(
    handler: RouteHandler<Sent, Context>,
  ): ((request: Sent, context: Context) => Promise<Response>) =>
    async (request, context) => {
      const admitted = await (await current(request)).admitted;
      try {
        return host.commit(admitted, await handler(request, context));
      } catch (error) {
        const recovered = await admitted.recover(error);
        if (recovered !== null) return toResponse(recovered);
        // A redirect of Next carries the cookies of its own store; its error response has none.
        const jar = await cookies();
        for (const line of setCookiesIn(admitted.commit())) setCookie(jar, line);
        throw error;
      }
    };
}

/** The auth routes as route handlers, for apps without `proxy.ts`. */
export function createHandlers(auth: Auth): { readonly GET: Handler; readonly POST: Handler } {
  async function answer(request: Request): Promise<Response> {
    const received = await auth.host.receive({}, (origin, config) =>
      config === null
        ? fromFetchRequest(request, origin)
        : hostRequest(request, config, senderOf(request)),
    );
    return toResponse("response" in received ? received.response : empty(404));
  }
  return { GET: answer, POST: answer };
}

type Handler = (request: Request) => Promise<Response>;
