import type { RequestAuth } from "../../host/request-auth.ts";
import type { Auth } from "../../index.ts";
import { AccessTokenError } from "../../errors/access-token-error.ts";
import type { AdmittedRequest } from "../../host/admitted-request.ts";
import { fromFetchRequest, type HostRequest } from "../../http/auth-request.ts";
import { isRead } from "../../http/fetch-metadata.ts";
import { type HeaderList, sessionCacheHeaders, setCookiesIn } from "../../http/headers.ts";
import { type ResponseParts, toResponse } from "../../http/response-parts.ts";
import type { MaybePromise } from "../../time/maybe-promise.ts";
import { createRecentMap } from "../../time/recent-map.ts";
import { forNextClient, hostRequest } from "./next-request.ts";
import {
  cookieHeaderAfter,
  handOn,
  nextResponse,
  renewedHeader,
  senderOf,
  targetHeader,
} from "./wire.ts";

/** A function as `proxy.ts` exports one. */
export type Proxy = (request: Request) => Promise<Response>;

/** The app's own part of `proxy.ts`. Returns a `NextResponse`, or nothing. */
export type OwnProxy = (
  request: Request,
  auth: RequestAuth,
  // oxlint-disable-next-line typescript/no-invalid-void-type -- as Next takes it
) => MaybePromise<Response | null | undefined | void>;

/**
 * Sign-in in `proxy.ts`: answers the auth routes, guards everything else unless it is public, and
 * renews and refreshes the session before the page is rendered, which then reads the new one.
 */
export function createProxy(auth: Auth, own: OwnProxy): Proxy {
  const { host } = auth;
  const bringTokens = createTokenBringer(auth);
  return async (request) => {
    const sender = senderOf(request);
    const seen = { target: "/", isChanged: false };
    const received = await host.receive(request, (origin, config) => {
      if (config === null) return fromFetchRequest(request, origin);
      const hosted = hostRequest(request, config, sender);
      seen.target = hosted.target;
      return {
        ...hosted,
        changes: { write: () => void (seen.isChanged = true) },
      };
    });
    if ("response" in received) {
      return toResponse(forClient(auth, { sender, ...seen }, received.response));
    }
    const { admitted } = received;
    // Actions and handlers of other methods set their cookies: one name must not come twice.
    const renews = (await admitted.carriesSession()) && isRead(request);
    if (renews) await bringTokens(admitted);
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

/** An API that the provider has refused to a user is not requested again for so long. */
const refusalKeepsMs = 60_000;

/**
 * Brings the token of the sign-in, and one for each API of the setting `resources` of the user's
 * connection: a component could not keep new ones. The log reports a failed refresh; the page
 * renders.
 */
function createTokenBringer(auth: Auth): (admitted: AdmittedRequest) => Promise<void> {
  const clock = () => auth.now() * 1000;
  const refused = createRecentMap<true>({ clock, keepMs: refusalKeepsMs, atMost: 1000 });

  async function bring({ identity, accessToken }: RequestAuth, resource: string): Promise<void> {
    const key = JSON.stringify([identity?.id, resource]);
    if (refused.get(key) === true) return;
    await accessToken({ resource }).catch((error: unknown) => {
      if (error instanceof AccessTokenError && error.code === "ERR_INVALID_TARGET")
        refused.set(key, true);
    });
  }

  return async (admitted) => {
    const { auth: its } = admitted;
    await its.accessToken().catch(() => undefined);
    // oxlint-disable-next-line no-await-in-loop -- each refresh spends the token of the one before
    for (const resource of await admitted.resources()) await bring(its, resource);
  };
}

/**
 * A session or a token counts as read: whether the page reads it is not known before it is
 * rendered.
 */
async function headersOf(admitted: AdmittedRequest, isWritten: boolean): Promise<HeaderList> {
  if (isWritten || admitted.auth.credential === "access_token") return admitted.commit();
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

/** With wrong settings, paths cannot be judged, and every request gets the same response. */
function forClient(
  auth: Auth,
  asking: Parameters<typeof forNextClient>[1],
  parts: ResponseParts,
): ResponseParts {
  return parts.status === 500 ? parts : forNextClient(auth.config, asking, parts);
}
