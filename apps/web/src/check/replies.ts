import type { HeaderList, ResponseParts } from "latchkey";

import type { Question } from "./proxies.ts";

/** Proxies pass on the status, or the whole response, to the client. */
export function toProxy({ proxy, wantsResponse }: Question, response: Response): Response {
  if (wantsResponse || !proxy.knowsStatusesOnly) return response;
  const { status, headers } = response;
  if (status === 200 || status === 401) return response;
  // Any other status is a 500 of nginx: true for a caller, but a person has a page of ours to see.
  if (status >= 500 && !isPage(response)) return response;
  // nginx adds a challenge to the redirect, so there is none.
  if (status === 302 || status === 303) return new Response(null, { status: 401 });
  return new Response(null, { status: 403, headers });
}

function isPage({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/html") === true;
}

/** To a caller with an access token, if the check accepts none. */
export function tokenRefused(): Response {
  const description = "The check accepts no access tokens.";
  return refusal(401, "invalid_token", description, {
    "WWW-Authenticate": `Bearer error="invalid_token", error_description="${description}"`,
  });
}

/** A response of the check itself, for operators and clients. */
export function refusal(
  status: number,
  error: string,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(
    { error, description },
    { status, headers: { "Cache-Control": "no-store", ...headers } },
  );
}

/** A response of the engine; its headers take the place of those of every response. */
export function toResponse({ status, headers, body }: ResponseParts, more: HeaderList): Response {
  const all = new Headers(more.map(([name, value]): [string, string] => [name, value]));
  for (const [name, value] of headers) {
    if (name.toLowerCase() === "set-cookie") all.append(name, value);
    else all.set(name, value);
  }
  return new Response(typeof body === "function" ? null : body, { status, headers: all });
}
