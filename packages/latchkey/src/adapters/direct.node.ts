import type { IncomingMessage, ServerResponse } from "node:http";

import type { Auth } from "../auth.ts";
import type { Answer } from "../http/answers.ts";
import type { HeaderList } from "../http/headers.ts";

/**
 * For hosts on `node:http` that want nothing between the engine and the wire: a request that is read in place, and
 * an answer that is written at once. What a session costs on each request is then the session alone.
 *
 * @returns `null` for methods that may have a body: those need a whole `Request`
 */
export function readInPlace({ config }: Auth, incoming: IncomingMessage): Request | null {
  const { method, url = "/" } = incoming;
  if (method !== "GET" && method !== "HEAD") return null;
  // An absolute address (RFC 9112, 3.2.2) is for proxies; who sends one gets the longer way.
  if (!url.startsWith("/")) return null;
  const request = { method, url: config.origin + url, headers: new HeadersInPlace(incoming) };
  // Answering GET and HEAD asks for method, address and headers, and for no more of a request.
  return request as unknown as Request;
}

/** The headers of a Node request, without a copy. */
class HeadersInPlace {
  readonly #headers: IncomingMessage["headers"];

  constructor({ headers }: IncomingMessage) {
    this.#headers = headers;
  }

  get(name: string): string | null {
    const value = this.#headers[name.toLowerCase()];
    if (value === undefined) return null;
    return typeof value === "string" ? value : value.join(", ");
  }

  has(name: string): boolean {
    return this.#headers[name.toLowerCase()] !== undefined;
  }
}

/** Writes an answer in one go, and headers of the host's own where the answer does not say otherwise. */
export function writeAnswer(
  { status, headers, body }: Answer,
  outgoing: ServerResponse,
  own: HeaderList = [],
): void {
  const list: string[] = [];
  for (const [name, value] of headers) list.push(name, value);
  for (const [name, value] of own) {
    if (!headers.some(([said]) => said === name)) list.push(name, value);
  }
  if (status !== 204) list.push("Content-Length", `${body === null ? 0 : Buffer.byteLength(body)}`);
  outgoing.writeHead(status, list);
  outgoing.end(body ?? undefined);
}
