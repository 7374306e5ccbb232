import type { IncomingMessage, ServerResponse } from "node:http";

import type { RequestAuth } from "../../access/request-auth.ts";
import type { Auth } from "../../auth.ts";
import type { AdmittedRequest } from "../../host/host.ts";
import { addHeaders } from "../../http/headers.ts";
import type { ResponseParts } from "../../http/response-parts.ts";
import { commitAtHead, NodeHeaders } from "./node-head.ts";
import { type FrameworkRequest, hostRequest } from "./node-request.ts";

/** A request that has passed sign-in. */
export type SignedRequest = IncomingMessage & { auth: RequestAuth };

/**
 * Takes a Node request in: writes our own responses, or hands over a request that may go on. The session's
 * headers are added when the head of the response leaves.
 *
 * @param told - by the framework, where it keeps that elsewhere than Express
 * @returns `null` where the request was answered
 */
export async function open(
  { host }: Auth,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  told?: FrameworkRequest & { readonly outer?: AdmittedRequest | undefined },
): Promise<AdmittedRequest | null> {
  const known = host.admittedOf(incoming);
  if (known !== undefined) return known;
  const toRequest = (origin: string) => hostRequest(incoming, origin, told);
  const received = await host.receive(incoming, toRequest, told?.outer);
  if ("response" in received) {
    write(received.response, outgoing);
    return null;
  }
  const { admitted } = received;
  (incoming as SignedRequest).auth = admitted.auth;
  commitAtHead(admitted, outgoing);
  return admitted;
}

/** What the application may have said of a page that another one now takes the place of. */
const headersOfPage = new Set([
  "accept-ranges",
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-length",
  "content-location",
  "content-range",
  "content-type",
  "etag",
  "expires",
  "last-modified",
  "transfer-encoding",
]);

/** Writes a whole response of ours. */
export function write({ status, headers, body }: ResponseParts, outgoing: ServerResponse): void {
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  outgoing.statusCode = status;
  // Empty: the one that belongs to the status, whatever the page that failed has said. HTTP/2 has none.
  if (outgoing.req.httpVersionMajor < 2) outgoing.statusMessage = "";
  for (const name of outgoing.getHeaderNames()) {
    if (headersOfPage.has(name)) outgoing.removeHeader(name);
  }
  addHeaders(new NodeHeaders(outgoing), headers);
  if (typeof body === "function") {
    const onLeave = body(outgoing);
    forgetCookies(outgoing.req);
    // It may have left while the store was asked.
    if (outgoing.req.aborted) onLeave();
    else outgoing.once("close", onLeave);
    return;
  }
  if (status !== 204) outgoing.setHeader("Content-Length", Buffer.byteLength(body ?? ""));
  outgoing.end(body ?? undefined);
}

/** An open stream keeps its request, and of that the cookies are kilobytes that nobody reads any more. */
function forgetCookies({ headers, rawHeaders }: IncomingMessage): void {
  headers.cookie = "";
  for (let place = 0; place < rawHeaders.length; place += 2) {
    if (rawHeaders[place]?.toLowerCase() === "cookie") rawHeaders[place + 1] = "";
  }
}
