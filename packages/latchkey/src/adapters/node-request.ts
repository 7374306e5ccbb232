import type { IncomingMessage } from "node:http";

import type { HostRequest, RequestBody } from "../http/auth-request.ts";

/**
 * A Node request as a host request. The target is the one that the client sent: Express shortens `url` where it
 * is mounted below a path.
 *
 * @param origin - of the base URL
 */
export function hostRequest(incoming: IncomingMessage, origin: string): HostRequest {
  const { method = "GET", url = "/", headers } = incoming;
  const target = "originalUrl" in incoming ? String(incoming.originalUrl) : url;
  return {
    method,
    target,
    ...rewritten(incoming, target),
    url: origin + (target.startsWith("/") ? target : "/"),
    headers: { get: (name) => headers[name.toLowerCase()]?.toString() ?? null },
    body: async () => bodyOf(incoming),
  };
}

/** Express says in `baseUrl` what it took from the target; where the rest is no more the same, it was rewritten. */
function rewritten(incoming: IncomingMessage, target: string): { rewrittenTarget?: string } {
  const baseURL: unknown = "baseUrl" in incoming ? incoming.baseUrl : undefined;
  if (typeof baseURL !== "string") return {};
  const rest = pathAndQuery(incoming.url ?? "/");
  // Below a path, Express puts a slash before what is left, also where there was none.
  const whole = [baseURL + rest, ...(/^\/(?:\?|$)/.test(rest) ? [baseURL + rest.slice(1)] : [])];
  return whole.includes(pathAndQuery(target)) ? {} : { rewrittenTarget: baseURL + rest };
}

function pathAndQuery(target: string): string {
  return target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, "");
}

/**
 * After a body parser the stream is empty, and its result is all that is left. Older parsers leave an empty
 * object where they have read nothing.
 */
function bodyOf(incoming: IncomingMessage): RequestBody {
  if (!incoming.readableDidRead && !incoming.readableEnded) return incoming;
  const parsed: unknown = "body" in incoming ? incoming.body : undefined;
  return typeof parsed === "string" || typeof parsed === "object" ? parsed : null;
}
