import type { LatchkeyError } from "../errors/latchkey-error.ts";
import { Refusal } from "../errors/refusal.ts";
import type { ResponseParts } from "./response-parts.ts";

/** The part of a request which sign-in reads. A Web `Request` satisfies it. */
export interface AuthRequest {
  readonly method: string;
  /** Absolute, with the origin of the base URL, whatever `Host` the client sent. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  /**
   * Address of the requested page, if another server has it and a proxy asks about it. Sign-in
   * leads back to it; its origin must be one of `returnToOrigins`.
   */
  readonly pageURL?: string | undefined;
}

/**
 * A request body: an unread stream, or the result of a body parser that has read it (a text, bytes,
 * an object of fields). `null` if there is none.
 */
export type RequestBody = AsyncIterable<Uint8Array | string> | string | Uint8Array | object | null;

/** A request as a host hands it to sign-in. */
export interface HostRequest extends AuthRequest {
  /** The request target (RFC 9112, section 3.2) as the application behind sign-in reads it. */
  readonly target: string;
  /** Targets which the application may read instead of `target`. The rules of all of them count. */
  readonly otherTargets?: readonly string[] | undefined;
  /** The host of the address, for hosts whose requests may have no header `Host`. */
  readonly authority?: string | undefined;
  /** The address at the other end of the connection, if the host knows it. */
  readonly remoteAddress?: string | undefined;
  /** Whether the connection is encrypted, if the host knows it. */
  readonly encrypted?: boolean | undefined;
  /** Present if a framework's own client sends the request, in place of the browser. */
  readonly pageClient?: PageClient | undefined;
  /** The body, or the result of a parser that has read it. Called for our own POST routes only. */
  readonly body: () => Promise<RequestBody>;
  /** Present if the session does not reach the browser by the head of this response alone. */
  readonly changes?: SessionChanges;
}

/** A script of a framework that requests pages, or data for the page on screen. */
export interface PageClient {
  /**
   * Target of the page on screen, if the client requests data for it. Even data below `/api` leads
   * it to login.
   */
  readonly page?: string;
  /** Returns the response that leads the client to a location. A plain redirect by default. */
  readonly lead?: (location: string, status: 302 | 303) => ResponseParts;
  /** Whether a redirect to the requested page reloads the document, as for our page of a 403. */
  readonly loadsDocument?: boolean;
  /** Whether the client shows no response of ours, and is led to the address of our 403 page. */
  readonly leavesForRefusals?: boolean;
}

/** The way of a session to the browser in a host that handles one request in several steps. */
export interface SessionChanges {
  /** Whether an earlier step of the request has renewed the session, so that this one does not. */
  readonly isRenewed?: boolean;
  /**
   * Returns why a change could not reach the browser now, or `null` if it can. It can by default.
   */
  fault?(): LatchkeyError | null;
  /**
   * Receives the cookies of a session as soon as they change.
   *
   * @param setCookies - the `Set-Cookie` values of the newest state
   */
  write?(setCookies: readonly string[]): void;
}

/**
 * A Web request as a host request.
 *
 * @param origin - of the base URL
 */
export function fromFetchRequest(request: Request, origin: string): HostRequest {
  const { method, headers } = request;
  const [, authority, target = ""] = address.exec(request.url) ?? [];
  return {
    method,
    url: origin + target,
    headers,
    target,
    authority,
    encrypted: request.url.startsWith("https:"),
    async body() {
      if (request.bodyUsed) throw new Refusal("body_malformed", { detail: "it was read before" });
      return request.body as AsyncIterable<Uint8Array | string> | null;
    },
  };
}

/** Our own authority: parsers disagree about others, for example with a backslash. */
const address = /^https?:\/\/([\w.:[\]-]+)(\/[^#]*)/i;

/**
 * Returns the target of a Web request. It is empty, and so malformed, if the application might read
 * another target: Deno and Bun build the address from the client's `Host` header.
 */
export function targetOf({ url }: Pick<Request, "url">): string {
  return address.exec(url)?.[2] ?? "";
}
