import { fromFetchRequest, type HostRequest } from "../../http/auth-request.ts";
import { isUnder } from "../../http/request-target.ts";
import type { ResponseParts } from "../../http/response-parts.ts";

/**
 * Who asks: `action` a server action, `data` the router of `pages/`, `router` that of `app/`, and `other`
 * everybody else. Next hides its own headers from the proxy; what the browser says of its fetch remains.
 */
export type Asking = "action" | "data" | "other" | "router";

export function askingOf({ method, headers }: Request): Asking {
  if (headers.has("next-action")) return "action";
  if (headers.has("x-nextjs-data")) return "data";
  const accept = headers.get("accept") ?? "";
  const isFetch =
    headers.get("sec-fetch-dest") === "empty" && headers.get("sec-fetch-site") === "same-origin";
  const isRouter = accept.startsWith("text/x-component") || (isFetch && accept === "*/*");
  return isRouter && method === "GET" ? "router" : "other";
}

/** What the engine is told in place of the browser's own words. */
const toldAs: Readonly<Record<Asking, Readonly<Record<string, string>>>> = {
  // The page itself goes to login: the redirect must say so, and the client of Next follows it.
  action: { "sec-fetch-mode": "navigate" },
  data: { "sec-fetch-mode": "navigate" },
  // Nothing starts before the browser opens the page itself.
  router: { "sec-purpose": "prefetch" },
  other: {},
};

/**
 * A request of Next as a host request.
 *
 * @param origin - of the base URL
 */
export function hostRequest(request: Request, origin: string, asking: Asking): HostRequest {
  const received = fromFetchRequest(request);
  const target = pageTarget(received.target);
  const told = toldAs[asking];
  return {
    ...received,
    target,
    url: origin + target,
    headers: { get: (name) => told[name.toLowerCase()] ?? received.headers.get(name) },
  };
}

/** Data and images of a page are addresses of their own, and guarded as what they show. */
function pageTarget(target: string): string {
  const { pathname, search, searchParams } = new URL(target, "http://localhost");
  const data = /^(.*)\/_next\/data\/[^/]+(\/.*)\.json$/.exec(pathname);
  if (data !== null) return `${data[1]}${data[2] === "/index" ? "/" : data[2]}${search}`;
  const image = searchParams.get("url");
  return pathname.endsWith("/_next/image") && image?.startsWith("/") === true ? image : target;
}

/** What the client of Next understands in place of a response that only a browser would follow. */
export function forNextClient(asking: Asking, target: string, parts: ResponseParts): ResponseParts {
  const { status, headers } = parts;
  const location = headers.find(([name]) => name === "Location")?.[1];
  const rest = headers.filter(([name]) => name !== "Location" && name !== "Content-Type");
  if (asking === "action" && location !== undefined) {
    return { status: 200, headers: [...rest, ["X-Action-Redirect", `${location};push`]], body: "" };
  }
  // No error, which the console would show; the router then lets the browser open the page.
  if (asking === "router" && status === 401 && !isUnder("/api", target)) {
    return { status: 204, headers: rest, body: null };
  }
  return parts;
}
