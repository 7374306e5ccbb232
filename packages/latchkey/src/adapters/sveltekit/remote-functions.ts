import type { ClientNavigation } from "../../http/auth-request.ts";
import { referringPage } from "../../http/fetch-metadata.ts";
import { json } from "../../http/response-parts.ts";

/** A request for a remote function, or for a page that may name one. */
interface RemoteEvent {
  readonly request: Request;
  readonly url: URL;
  readonly isRemoteRequest: boolean;
}

/**
 * The address of a remote function whose form is posted without a script: the query names it, at whatever page, and
 * SvelteKit executes it there.
 */
export function remoteFormTarget({ request, url }: RemoteEvent): readonly string[] {
  const id = request.method === "POST" ? url.searchParams.get("/remote") : null;
  return id === null ? [] : [`/_app/remote/${encodeURI(id)}`];
}

/** How SvelteKit's client is led elsewhere; `undefined` where it makes an error of that: of a command, whose body is JSON. */
export function remoteNavigation(
  { request: { method, headers } }: RemoteEvent,
  origin: string,
): ClientNavigation | undefined {
  const isJSON = headers.get("content-type")?.startsWith("application/json") === true;
  return method === "POST" && isJSON
    ? undefined
    : { page: referringPage({ headers }, origin) ?? "/", lead: redirectOf };
}

/** Live queries read `location`, all others `data`: `{ redirect: location }` as devalue writes it. */
function redirectOf(location: string) {
  return json(
    { type: "redirect", location, data: JSON.stringify([{ redirect: 1 }, location]) },
    200,
  );
}
