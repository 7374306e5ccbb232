import type { LatchkeyError } from "../errors/latchkey-error.ts";
import { Refusal } from "../errors/refusal.ts";
import type { HeaderList } from "./headers.ts";
import type { ResponseParts } from "./response-parts.ts";

/** The part of a request that sign-in reads. A Web `Request` satisfies it. */
export interface AuthRequest {
  readonly method: string;
  /** Absolute; the origin is the one of the base URL, whatever host the client named. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}

/**
 * A request body: a stream that nobody has read, or the result of a body parser that has read it
 * (a text, bytes, an object of fields). `null` where there is none.
 */
export type RequestBody = AsyncIterable<Uint8Array | string> | string | Uint8Array | object | null;

/** What a framework's client needs in order to follow a redirect of ours as a browser would. */
export interface ClientNavigation {
  readonly headers?: HeaderList;
  /** Target of the page, where it is another one than that of the request. */
  readonly page?: string;
  /** Whether it goes on from data, too: others get 401 for a path below `/api`. */
  readonly isForData?: boolean;
  /** Whether it loads the document when it is led to the page that it asks for: then a person sees our page of a 403. */
  readonly loadsDocument?: boolean;
  /** Tells it where to go, where it follows no redirect. */
  readonly lead?: (location: string) => ResponseParts;
}

/** A request as a host hands it to sign-in. */
export interface HostRequest extends AuthRequest {
  /** The request target (RFC 9112, section 3.2) as the application behind sign-in reads it. */
  readonly target: string;
  /** What the application reads in place of the target that was sent, or beside it: one, or several. */
  readonly rewrittenTarget?: string | readonly string[] | undefined;
  /** The address at the other end of the connection, where the host knows it. */
  readonly remoteAddress?: string | undefined;
  /**
   * Path of the host's own error page, below the base path, where the host makes the request to itself: for a request
   * that has passed, that page needs no session.
   */
  readonly errorPage?: string | undefined;
  /** Present where a framework's own client asks for a page that it will show, in place of the browser. */
  readonly clientNavigation?: ClientNavigation | undefined;
  /** The body, or the result of a parser that has read it. Called for our own POST routes only. */
  readonly body: () => Promise<RequestBody>;
  /** Where changes of the session go in a host that commits no head, such as a server action. */
  readonly changes?: SessionChanges;
  /** Whether an earlier step of the same request has renewed the session, so that no later one has to. */
  readonly isRenewed?: boolean;
}

/** Takes the cookies of a session as soon as they change. */
export interface SessionChanges {
  /** Why what changes now could not reach the browser; `null` where it does, as by default. */
  fault?(): LatchkeyError | null;
  /** @param setCookies - the `Set-Cookie` values of the newest state */
  write(setCookies: readonly string[]): void;
}

/**
 * A Web request as a host request.
 *
 * @param origin - of the base URL
 */
export function fromFetchRequest(request: Request, origin: string): HostRequest {
  const { method, headers } = request;
  const target = targetOf(request);
  return {
    method,
    url: origin + target,
    headers,
    target,
    async body() {
      if (request.bodyUsed) throw new Refusal("body_malformed", { detail: "it was read before" });
      return request.body as AsyncIterable<Uint8Array | string> | null;
    },
  };
}

/** With an authority that all readers end at the same character: some end it at a back slash. */
const address = /^https?:\/\/[\w.:[\]-]+(\/[^#]*)/i;

/**
 * The target of a Web request; empty, which is no target, where the application might read another one in the
 * address. Deno and Bun write into the address whatever the client sends as `Host`.
 */
export function targetOf({ url }: Pick<Request, "url">): string {
  return address.exec(url)?.[1] ?? "";
}
