import type { ServerResponse } from "node:http";

import type { RequestAuth } from "../../../access/request-auth.ts";
import type { Auth } from "../../../auth.ts";
import type { HostRequest } from "../../../http/auth-request.ts";
import { cookieHeaderAfter } from "../handed-on.ts";
import { hostRequest } from "../next-request.ts";
import { createPagesRequests } from "../pages-auth.ts";
import { authOf, type CurrentRequest } from "../current-request.ts";
import { type Caller, isNode } from "./caller.ts";

/** Who makes the request of a caller. */
export type AuthOfCaller = (caller: Caller) => Promise<RequestAuth>;

export function createAuthOfCaller(auth: Auth, current: CurrentRequest): AuthOfCaller {
  // As there, the app answers itself to an error that it catches, with whatever status.
  const pages = createPagesRequests(auth, () => undefined);
  return async ([request, response]) => {
    if (request === undefined) return authOf(current);
    if (isNode(request)) return (await pages(request, response as ServerResponse)).auth;
    const renewed = renewedRequest(auth, request, response);
    if (renewed !== null) return (await auth.host.receiveUnguarded(() => renewed)).auth;
    // A request that has passed the middleware is known; in `app/` Next itself knows the request.
    return auth.host.admittedOf(request)?.auth ?? authOf(current);
  };
}

/**
 * The request that would follow a response which brings a session: after `handleCallback`, apps ask for the new one with
 * both. `null` where the response brings none.
 */
function renewedRequest(auth: Auth, request: Request, response: unknown): HostRequest | null {
  if (!(response instanceof Response)) return null;
  const { headers } = response;
  const { name } = auth.config.session;
  const written = headers.getSetCookie().filter((line) => line.startsWith(name));
  if (written.length === 0) return null;
  const cookie = cookieHeaderAfter(request.headers.get("cookie"), written);
  return {
    ...hostRequest(request, auth.config, "other"),
    headers: { get: (header) => (header === "cookie" ? cookie : request.headers.get(header)) },
    changes: {
      write: (setCookies) => setCookies.forEach((line) => headers.append("Set-Cookie", line)),
    },
  };
}
