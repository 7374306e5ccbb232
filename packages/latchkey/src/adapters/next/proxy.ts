import type { Auth } from "../../auth.ts";
import type { Passage } from "../../host/receive.ts";
import { type HeaderList, sessionCacheHeaders } from "../../http/headers.ts";
import { toResponse } from "../../http/response-parts.ts";
import type { MaybePromise } from "../../maybe-promise.ts";
import { cookieHeaderAfter, handOn, targetHeader } from "./handed-on.ts";
import { askingOf, forNextClient, hostRequest } from "./next-request.ts";

/** A function as `proxy.ts` exports one. */
export type Proxy = (request: Request) => Promise<Response>;

/** What an app does itself in `proxy.ts`; returns what `NextResponse` makes. */
export type OwnProxy = (request: Request) => MaybePromise<Response | null | undefined | void>;

/**
 * Sign-in in `proxy.ts`: answers the auth routes, guards everything that is not public, and renews and
 * refreshes what is due before the page is rendered, which then reads the new session.
 */
export function createProxy({ host }: Auth, own: OwnProxy): Proxy {
  return async (request) => {
    const asking = askingOf(request);
    let target = "/";
    const received = await host.receive(request, (origin) => {
      const asked = hostRequest(request, origin, asking);
      ({ target } = asked);
      return asked;
    });
    if ("response" in received) {
      return toResponse(forNextClient(asking, target, received.response));
    }
    const { passage } = received;
    const committed = await sessionHeaders(passage, request);
    const response = (await own(request)) ?? goOn();
    handOn(request, response, [[targetHeader, target], ...cookiesAfter(request, committed)]);
    return host.commit({ ...passage, commit: () => committed }, response);
  };
}

/** As `NextResponse.next()`. */
function goOn(): Response {
  return new Response(null, { headers: { "x-middleware-next": "1" } });
}

/**
 * What the response must carry. Whether a page reads the session is not known before it is rendered, so it counts
 * as read. Actions and handlers of other methods than GET keep what they change themselves: the browser would be
 * sent two cookies of one name.
 */
async function sessionHeaders(passage: Passage, { method }: Request): Promise<HeaderList> {
  if (!(await passage.carriesSession())) return [];
  if (method !== "GET" && method !== "HEAD") return sessionCacheHeaders;
  await refreshIfDue(passage);
  return passage.commit();
}

/** A component could not keep new tokens. Where a refresh fails, the log says why and the page is rendered. */
async function refreshIfDue({ auth }: Passage): Promise<void> {
  if (auth.session?.refreshToken === undefined) return;
  await auth.accessToken().catch(() => undefined);
}

function cookiesAfter({ headers }: Request, committed: HeaderList): HeaderList {
  const setCookies = committed.filter(([name]) => name === "Set-Cookie").map(([, line]) => line);
  if (setCookies.length === 0) return [];
  return [["cookie", cookieHeaderAfter(headers.get("cookie"), setCookies)]];
}
