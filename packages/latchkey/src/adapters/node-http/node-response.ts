import type {
  IncomingMessage,
  OutgoingHttpHeader,
  OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";

import type { AdmittedRequest } from "../../host/admitted-request.ts";
import { addHeaders, type ResponseHeaders } from "../../http/headers.ts";
import type { ResponseParts } from "../../http/response-parts.ts";

const guard = Symbol("guard");

/** What a response has passed whose head has not left. */
interface Guard {
  readonly requests: AdmittedRequest[];
  readonly writeHead: ServerResponse["writeHead"];
}

/**
 * Adds the session's headers at the last moment: every way to send a head goes through `writeHead`.
 *
 * All responses share one function in its place: a function of its own would keep each response
 * alive until the next full garbage collection.
 */
export function commitAtHead(
  admitted: AdmittedRequest,
  outgoing: ServerResponse & { [guard]?: Guard },
): void {
  const { [guard]: guarded, writeHead } = outgoing;
  if (guarded !== undefined) {
    guarded.requests.push(admitted);
    return;
  }
  const added: Guard = { requests: [admitted], writeHead };
  Object.assign(outgoing, { [guard]: added, writeHead: commitAndWriteHead });
}

type GuardedResponse = ServerResponse & { readonly [guard]: Guard };

function commitAndWriteHead(this: GuardedResponse, status: number, ...rest: unknown[]) {
  const { requests, writeHead } = this[guard];
  const message = rest.find((each) => typeof each === "string");
  // Throws if a header is wrong. No head has left then, and the error page can send its own.
  setHeaders(this, rest.find((each) => typeof each === "object") as GivenHeaders);
  for (const each of requests) addHeaders(new NodeHeaders(this), each.commit());
  Object.assign(this, { writeHead });
  return this.writeHead(status, message);
}

type GivenHeaders = OutgoingHttpHeaders | readonly OutgoingHttpHeader[] | null | undefined;

/**
 * Makes what was passed to `writeHead` headers like all others: an object, pairs, or names and
 * values in turn.
 */
export function setHeaders(outgoing: ServerResponse, given: GivenHeaders): void {
  if (given == null) return;
  for (const [name, values] of Object.entries(toHeaderLists(given)))
    outgoing.setHeader(name, values);
}

function toHeaderLists(given: NonNullable<GivenHeaders>): Record<string, OutgoingHttpHeader> {
  if (!Array.isArray(given)) return dropUndefined(given as OutgoingHttpHeaders);
  const list: readonly unknown[] = given.flat();
  const headers: Record<string, string[]> = {};
  for (let place = 0; place < list.length; place += 2) {
    (headers[String(list[place]).toLowerCase()] ??= []).push(String(list[place + 1]));
  }
  return headers;
}

function dropUndefined(headers: OutgoingHttpHeaders): Record<string, OutgoingHttpHeader> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, OutgoingHttpHeader>;
}

/** The headers of a Node response, as {@link addHeaders} needs them. */
export class NodeHeaders implements ResponseHeaders {
  readonly #outgoing: ServerResponse;
  #hasOwnList = false;

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing;
  }

  get(name: string): string | null {
    return this.#outgoing.getHeader(name)?.toString() ?? null;
  }

  set(name: string, value: string): void {
    this.#outgoing.setHeader(name, value);
  }

  /** Removing a header that is not there costs five times as much as looking for it. */
  delete(name: string): void {
    if (this.#outgoing.getHeader(name) !== undefined) this.#outgoing.removeHeader(name);
  }

  /**
   * Adds a cookie. The list set by the application may be shared by all requests, so it is copied
   * once; Node would check every value of a new list again.
   */
  append(name: "Set-Cookie", value: string): void {
    if (this.#hasOwnList) this.#outgoing.appendHeader(name, value);
    else this.#outgoing.setHeader(name, [...this.getSetCookie(), value]);
    this.#hasOwnList = true;
  }

  getSetCookie(): readonly string[] {
    const values = this.#outgoing.getHeader("Set-Cookie");
    return values === undefined ? [] : [values].flat().map(String);
  }
}

/** Headers of the replaced page, which do not apply to ours. */
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
  // Empty for the default text of the status, whatever the failed page has set. HTTP/2 has none.
  if (outgoing.req.httpVersionMajor < 2) outgoing.statusMessage = "";
  for (const name of outgoing.getHeaderNames()) {
    if (headersOfPage.has(name)) outgoing.removeHeader(name);
  }
  addHeaders(new NodeHeaders(outgoing), headers);
  if (typeof body === "function") {
    const onLeave = body(outgoing);
    forgetHeaders(outgoing.req);
    // The client may have left during the query of the store.
    if (outgoing.req.aborted) onLeave();
    else outgoing.once("close", onLeave);
    return;
  }
  if (status !== 204) outgoing.setHeader("Content-Length", Buffer.byteLength(body ?? ""));
  outgoing.end(body ?? undefined);
}

/**
 * An open stream keeps its request. No code reads its cookies any more, which are kilobytes, nor
 * `rawHeaders`, which repeat `headers`. A log written at the end reads `headers`.
 */
function forgetHeaders({ headers, rawHeaders }: IncomingMessage): void {
  headers.cookie = "";
  rawHeaders.length = 0;
}
