import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http";

import type { AdmittedRequest } from "../../host/host.ts";
import { addHeaders, type ResponseHeaders } from "../../http/headers.ts";

const guard = Symbol("guard");

/** A response whose head has not left, with what its request has passed. */
interface GuardedResponse extends ServerResponse {
  [guard]?: {
    readonly requests: AdmittedRequest[];
    readonly writeHead: ServerResponse["writeHead"];
  };
}

/**
 * Adds the session's headers at the last moment: every way to send a head goes through `writeHead`.
 *
 * All responses share one function in its place: a function of its own would keep each response
 * alive until the next full garbage collection.
 */
export function commitAtHead(admitted: AdmittedRequest, outgoing: GuardedResponse): void {
  const { [guard]: guarded, writeHead } = outgoing;
  if (guarded !== undefined) {
    guarded.requests.push(admitted);
    return;
  }
  outgoing[guard] = { requests: [admitted], writeHead };
  outgoing.writeHead = commitAndWriteHead;
}

function commitAndWriteHead(this: GuardedResponse, status: number, ...rest: unknown[]) {
  const { [guard]: guarded } = this;
  if (guarded === undefined) throw new TypeError("This response is not guarded.");
  const { requests, writeHead } = guarded;
  const message = rest.find((each) => typeof each === "string");
  // Throws where a header is wrong: then no head leaves yet, and that of the error page is the one.
  setHeaders(this, rest.find((each) => typeof each === "object") as GivenHeaders);
  for (const each of requests) addHeaders(new NodeHeaders(this), each.commit());
  this.writeHead = writeHead;
  return message === undefined ? this.writeHead(status) : this.writeHead(status, message);
}

type GivenHeaders = OutgoingHttpHeaders | readonly OutgoingHttpHeader[] | null | undefined;

/** Makes what was passed to `writeHead` headers like all others: an object, pairs, or names and values in turn. */
export function setHeaders(outgoing: ServerResponse, given: GivenHeaders): void {
  if (given == null) return;
  for (const [name, values] of Object.entries(collected(given))) outgoing.setHeader(name, values);
}

function collected(given: NonNullable<GivenHeaders>): Record<string, OutgoingHttpHeader> {
  if (!Array.isArray(given)) return definedEntries(given as OutgoingHttpHeaders);
  const list: readonly unknown[] = given.flat();
  const headers: Record<string, string[]> = {};
  for (let place = 0; place + 1 < list.length; place += 2) {
    (headers[String(list[place]).toLowerCase()] ??= []).push(String(list[place + 1]));
  }
  return headers;
}

function definedEntries(headers: OutgoingHttpHeaders): Record<string, OutgoingHttpHeader> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, OutgoingHttpHeader>;
}

/** The headers of a Node response, as {@link addHeaders} needs them. */
export class NodeHeaders implements ResponseHeaders {
  readonly #outgoing: ServerResponse;
  readonly #ownLists = new Set<string>();

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing;
  }

  get(name: string): string | null {
    return this.#outgoing.getHeader(name)?.toString() ?? null;
  }

  set(name: string, value: string): void {
    this.#outgoing.setHeader(name, value);
  }

  delete(name: string): void {
    this.#outgoing.removeHeader(name);
  }

  /** `appendHeader` adds to the very list that the application has set, perhaps for every request: to a copy of it. */
  append(name: string, value: string): void {
    if (this.#ownLists.has(name)) {
      this.#outgoing.appendHeader(name, value);
      return;
    }
    this.#outgoing.setHeader(name, [...this.#valuesOf(name), value]);
    this.#ownLists.add(name);
  }

  getSetCookie(): readonly string[] {
    return this.#valuesOf("Set-Cookie");
  }

  #valuesOf(name: string): readonly string[] {
    const values = this.#outgoing.getHeader(name);
    return values === undefined ? [] : [values].flat().map(String);
  }
}
