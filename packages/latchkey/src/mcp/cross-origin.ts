import { preflightResponse } from "../api/cross-origin.ts";
import type { HostRequest } from "../http/auth-request.ts";
import type { HeaderList } from "../http/headers.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { Resource } from "./resource.ts";

/** Without this check a page could call a server on the user's machine by DNS rebinding. */
export function isAllowedOrigin({ origins }: Resource, { headers }: HostRequest): boolean {
  const origin = headers.get("origin");
  return origin === null || origins.includes(origin);
}

/** The headers which a script of an allowed origin needs of a response. */
export function exposedHeaders({ headers }: HostRequest): HeaderList {
  return headers.get("origin") === null ? [] : [["Access-Control-Expose-Headers", exposed]];
}

const exposed = "WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version, DPoP-Nonce, Retry-After";

/** Answers the preflight of an allowed origin. */
export function allowMcp({ origins }: Resource, request: HostRequest): ResponseParts {
  const { headers, ...parts } = preflightResponse(origins, request, "POST, GET, DELETE");
  return { ...parts, headers: [...headers, ...exposedHeaders(request)] };
}
