import type { ServerResponse } from "node:http";

import type { RequestAuth } from "latchkey";
import type { NextHost } from "latchkey/next";

import { type Caller, isNode } from "./caller.ts";

/** Returns the auth of the request of a caller, or of the current one. */
export type AuthOfCaller = (caller: Caller) => Promise<RequestAuth>;

export function createAuthOfCaller(host: NextHost): AuthOfCaller {
  return ([request, response]) => {
    if (request === undefined) return host.auth();
    if (isNode(request)) return host.pagesAuth(request, response as ServerResponse);
    return host.webAuth(request, response);
  };
}
