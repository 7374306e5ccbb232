import type { HostRequest } from "../http/auth-request.ts";
import type { HeaderList } from "../http/headers.ts";
import { empty, type ResponseParts } from "../http/response-parts.ts";
import type { Resource } from "./resource.ts";

/** Without this check a page could call a server on the user's machine by DNS rebinding. */
export function isAllowedOrigin({ origins }: Resource, { headers }: HostRequest): boolean {
  const origin = headers.get("origin");
  return origin === null || origins.includes(origin);
}

/** What a script of an allowed origin needs to read the response of a server. */
export function crossOriginHeaders({ headers }: HostRequest): HeaderList {
  const origin = headers.get("origin");
  const vary: HeaderList = [["Vary", "Origin"]];
  if (origin === null) return vary;
  return [
    ...vary,
    ["Access-Control-Allow-Origin", origin],
    ["Access-Control-Expose-Headers", exposed],
  ];
}

const exposed = "WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version, DPoP-Nonce, Retry-After";

/** Answers the preflight of an allowed origin. Clients of later revisions send further headers. */
export function preflightResponse(request: HostRequest): ResponseParts {
  const asked = request.headers.get("access-control-request-headers");
  return empty(204, [
    ...crossOriginHeaders(request),
    ["Access-Control-Allow-Methods", "POST, GET, DELETE"],
    ...(asked === null ? [] : [["Access-Control-Allow-Headers", asked] as const]),
    ["Access-Control-Max-Age", "86400"],
    ["Cache-Control", "no-store"],
  ]);
}
