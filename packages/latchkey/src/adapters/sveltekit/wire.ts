/** What the adapter uses of SvelteKit 3.2.0 beyond its documentation. */
import type { HostRequest, PageClient } from "../../http/auth-request.ts";
import { referringPage } from "../../http/fetch-metadata.ts";
import { json, redirectAsJSON } from "../../http/response-parts.ts";

/** The used part of an event that SvelteKit's client may have caused. */
interface ClientEvent {
  readonly request: Request;
  readonly url: URL;
  readonly isDataRequest: boolean;
  readonly isRemoteRequest: boolean;
}

/**
 * Whether SvelteKit's client requests the data of a page, calls a remote function, or posts a form
 * with `use:enhance`, which adds this header.
 * https://github.com/sveltejs/kit/blob/@sveltejs/kit@3.2.0/packages/kit/src/runtime/app/forms.js
 */
export function isOfClient({ isDataRequest, isRemoteRequest, request }: ClientEvent): boolean {
  const isAction =
    request.method === "POST" && request.headers.get("x-sveltekit-action") === "true";
  return isDataRequest || isRemoteRequest || isAction;
}

/**
 * A request of SvelteKit's client. For a remote function, the client itself chooses `event.url`. Of
 * a refused page the client would show its own error page, with the bare status.
 */
export function clientRequest(event: ClientEvent, origin: string): Partial<HostRequest> {
  const { isDataRequest, isRemoteRequest, url } = event;
  if (isRemoteRequest) return { pageClient: remoteClient(event, origin) };
  const target = isDataRequest ? { target: url.href.slice(url.origin.length) } : {};
  return { ...target, pageClient: { leavesForRefusals: true } };
}

/** Commands send JSON, and the client makes an error of each redirect: they get a 401. */
function remoteClient(
  { request: { method, headers } }: Pick<ClientEvent, "request">,
  origin: string,
): PageClient | undefined {
  const isJSON = headers.get("content-type")?.startsWith("application/json") === true;
  return method === "POST" && isJSON
    ? undefined
    : { page: referringPage({ headers }, origin) ?? "/", lead: redirectRemote };
}

/**
 * The redirect of a remote function. Live queries read `location`, all others `data`, which is
 * `{ redirect: location }` as devalue writes it.
 * https://github.com/sveltejs/kit/blob/@sveltejs/kit@3.2.0/packages/kit/src/runtime/server/remote-functions.js
 */
function redirectRemote(location: string) {
  const data = JSON.stringify([{ redirect: 1 }, location]);
  return json({ type: "redirect", location, data }, 200);
}

/**
 * The redirect of a data request or a form action. The client loads the document if the address is
 * none of its pages.
 * https://github.com/sveltejs/kit/blob/@sveltejs/kit@3.2.0/packages/kit/src/runtime/server/data/index.js
 */
export function redirectClient(response: Response): Response {
  return redirectAsJSON(response, (location, status) => ({ type: "redirect", status, location }));
}

/**
 * The address of a remote function whose form is posted without a script. The query of any page may
 * name it, and SvelteKit runs it there.
 * https://github.com/sveltejs/kit/blob/@sveltejs/kit@3.2.0/packages/kit/src/runtime/server/remote-functions.js
 */
export function remoteFormTarget({
  request,
  url,
}: Pick<ClientEvent, "request" | "url">): readonly string[] {
  const id = request.method === "POST" ? url.searchParams.get("/remote") : null;
  return id === null ? [] : [`/_app/remote/${encodeURI(id)}`];
}

/**
 * Errors of a `load` and of a remote function come with status 200, one for each part of the page.
 * https://github.com/sveltejs/kit/blob/@sveltejs/kit@3.2.0/packages/kit/src/runtime/server/data/index.js
 */
export const errorMark = '"type":"error"';
