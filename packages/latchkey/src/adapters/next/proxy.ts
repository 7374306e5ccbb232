import type { RequestAuth } from "../../access/request-auth.ts";
import type { Auth } from "../../auth.ts";
import type { AdmittedRequest } from "../../host/host.ts";
import type { HostRequest } from "../../http/auth-request.ts";
import { isRead } from "../../http/fetch-metadata.ts";
import { type HeaderList, sessionCacheHeaders, setCookiesIn } from "../../http/headers.ts";
import { type ResponseParts, toResponse } from "../../http/response-parts.ts";
import type { MaybePromise } from "../../maybe-promise.ts";
import { cookieHeaderAfter, handOn, renewedHeader, targetHeader } from "./handed-on.ts";
import { askingOf, forNextClient, hostRequest } from "./next-request.ts";

/** A function as `proxy.ts` exports one. */
export type Proxy = (request: Request) => Promise<Response>;

/** What an app does itself in `proxy.ts`; returns what `NextResponse` makes, or nothing. */
export type OwnProxy = (
  request: Request,
  auth: RequestAuth,
  // oxlint-disable-next-line typescript/no-invalid-void-type -- as Next takes it
) => MaybePromise<Response | null | undefined | void>;

/**
 * Sign-in in `proxy.ts`: answers the auth routes, guards everything that is not public, and renews and
 * refreshes what is due before the page is rendered, which then reads the new session.
 */
export function createProxy(auth: Auth, own: OwnProxy): Proxy {
  const { host } = auth;
  return async (request) => {
    const asking = askingOf(request);
    const seen = { target: "/", isChanged: false };
    const received = await host.receive(request, () => {
      const asked = hostRequest(request, auth.config, asking);
      seen.target = asked.target;
      return {
        ...asked,
        changes: { write: () => void (seen.isChanged = true) },
      };
    });
    if ("response" in received) {
      return toResponse(forClient(auth, { asking, ...seen }, received.response));
    }
    const { admitted } = received;
    // Actions and handlers of other methods keep themselves what they change: the browser would be sent two cookies of
    // one name.
    const renews = (await admitted.carriesSession()) && isRead(request);
    // A component could not keep new tokens. Where a refresh fails, the log says why and the page is rendered.
    if (renews) await admitted.auth.accessToken().catch(() => undefined);
    const response = (await own(request, admitted.auth)) ?? nextResponse();
    const committed = await headersOf(admitted, renews || seen.isChanged);
    handOn(request, response, [
      [targetHeader, seen.target],
      ...(renews ? [[renewedHeader, "1"] as const] : []),
      ...cookiesAfter(request, committed),
    ]);
    return host.commit({ ...admitted, commit: () => committed }, response);
  };
}

/** Whether a page reads the session is not known before it is rendered: where there is one, it counts as read. */
async function headersOf(admitted: AdmittedRequest, isWritten: boolean): Promise<HeaderList> {
  if (isWritten) return admitted.commit();
  return (await admitted.carriesSession()) ? sessionCacheHeaders : [];
}

function cookiesAfter(
  { headers }: Pick<HostRequest, "headers">,
  committed: HeaderList,
): HeaderList {
  const setCookies = setCookiesIn(committed);
  if (setCookies.length === 0) return [];
  return [["cookie", cookieHeaderAfter(headers.get("cookie"), setCookies)]];
}

/** Where the settings are wrong nothing is known of a path, and everybody gets the same response. */
function forClient(
  auth: Auth,
  asked: Parameters<typeof forNextClient>[1],
  parts: ResponseParts,
): ResponseParts {
  return parts.status === 500 ? parts : forNextClient(auth.config, asked, parts);
}

/** As `NextResponse.next()`: the application answers the request. */
function nextResponse(): Response {
  return new Response(null, { headers: { "x-middleware-next": "1" } });
}
