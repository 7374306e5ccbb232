import type { HostRequest } from "../http/auth-request.ts";
import type { HeaderList } from "../http/headers.ts";
import { empty, type ResponseParts } from "../http/response-parts.ts";

/**
 * Returns whether a browser inquires for a script of another origin. It sends no credentials then
 * (Fetch, CORS-preflight fetch), so a request with some is no preflight. Nor does it name another
 * method, for which a framework would take the request.
 *
 * Any client can send such a request. Nothing may be opened for it.
 */
export function isPreflight({ method, headers }: HostRequest): boolean {
  return (
    method === "OPTIONS" &&
    headers.get("authorization") === null &&
    headers.get("cookie") === null &&
    overrideHeaders.every((name) => headers.get(name) === null) &&
    headers.get("origin") !== null &&
    headers.get("access-control-request-method") !== null
  );
}

/** Frameworks that let a client name another method read these. */
const overrideHeaders = ["x-http-method-override", "x-http-method", "x-method-override"];

/** Lets scripts of the listed origins read a response. */
export function crossOriginHeaders(
  origins: readonly string[],
  { headers }: HostRequest,
): HeaderList {
  if (origins.length === 0) return [];
  const origin = headers.get("origin");
  const vary = ["Vary", "Origin"] as const;
  return origin !== null && origins.includes(origin)
    ? [["Access-Control-Allow-Origin", origin], vary]
    : [vary];
}

/**
 * Answers a preflight. It allows the script of a listed origin what it requests: the request that
 * follows needs a token.
 *
 * @param methods - by default the requested one
 */
export function preflightResponse(
  origins: readonly string[],
  request: HostRequest,
  methods = request.headers.get("access-control-request-method") ?? "",
): ResponseParts {
  const shared = crossOriginHeaders(origins, request);
  const isAllowed = shared.some(([name]) => name === "Access-Control-Allow-Origin");
  return empty(204, [
    ...shared,
    ...(isAllowed ? permissions(request, methods) : []),
    ["Cache-Control", "no-store"],
  ]);
}

/** Clients send headers of which we do not know. */
function permissions({ headers }: HostRequest, methods: string): HeaderList {
  const asked = headers.get("access-control-request-headers");
  return [
    ["Access-Control-Allow-Methods", methods],
    ...(asked === null ? [] : [["Access-Control-Allow-Headers", asked] as const]),
    ["Access-Control-Max-Age", "86400"],
  ];
}
