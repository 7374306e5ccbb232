import type { RequestAuth } from "../access/request-auth.ts";
import type { Context } from "../context.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { noStoreHeaders, withHeaders } from "../http/headers.ts";
import { type ResponseParts, text } from "../http/response-parts.ts";
import { type AdmittedRequest, receive, type Received, receiveUnguarded } from "./receive.ts";
import { createRouteTable, type RouteTable } from "./route-table.ts";

/** What an adapter needs of sign-in. Apps use `auth.respond`, or an adapter. */
export interface Host {
  /**
   * Takes a request in; never throws.
   *
   * @param key - what handlers have of the request, for `auth.of`
   * @param toRequest - is given the origin of the base URL: whatever host the client named, requests are read there
   * @param outer - of the request in whose course the app makes this one to itself
   */
  receive(
    key: object,
    toRequest: (origin: string) => HostRequest,
    outer?: AdmittedRequest,
  ): Promise<Received>;
  /**
   * Admits a request that the application handles already: nothing answers or guards it.
   *
   * @throws {ConfigError} where sign-in cannot be used
   */
  receiveUnguarded(toRequest: (origin: string) => HostRequest): Promise<AdmittedRequest>;
  /** A request that was admitted before: a host that is mounted twice admits it once. */
  admittedOf(key: object): AdmittedRequest | undefined;
  /** The application's response with what the session adds to it; a copy where it must not be changed. */
  commit(admitted: AdmittedRequest, response: Response): Response;
  /** @throws {TypeError} where the request did not pass */
  authOf(key: object): RequestAuth;
}

export interface HostOptions {
  /** Checks the settings and opens the store, once. */
  readonly open: () => Promise<Context>;
  /** Told why the settings or the store cannot be used. */
  readonly onFault: (error: unknown) => ResponseParts;
}

export function createHost({ open, onFault }: HostOptions): Host {
  // A property of the request, not a WeakMap: that would keep both until the next full garbage
  // collection (docs/decisions/0025).
  const place = Symbol("admitted");
  type Placed = { [place]?: AdmittedRequest };
  const admittedOf = (key: object) => (key as Placed)[place];
  const before = Symbol("headers before");
  let opened: { readonly context: Context; readonly table: RouteTable } | undefined;

  async function openOnce() {
    const context = await open();
    return (opened ??= { context, table: createRouteTable(context) });
  }

  return {
    async receive(key, toRequest, outer) {
      try {
        const { context, table } = opened ?? (await openOnce());
        const request = toRequest(context.config.origin);
        const received = await receive(context, table, request, outer);
        if ("admitted" in received) (key as Placed)[place] = received.admitted;
        return received;
      } catch (error) {
        return { response: onFault(error) };
      }
    },
    async receiveUnguarded(toRequest) {
      const { context } = opened ?? (await openOnce());
      return receiveUnguarded(context, toRequest(context.config.origin));
    },
    admittedOf,
    commit: (admitted, response) => withHeaders(response, admitted.commit(), before),
    authOf(key) {
      const admitted = admittedOf(key);
      if (admitted !== undefined) return admitted.auth;
      throw new TypeError(
        "This request has not passed sign-in: handle it behind auth.respond or an adapter.",
      );
    },
  };
}

/** Answers while sign-in cannot be used; the details are for developers only. */
export function notSetUp(details: string | undefined): ResponseParts {
  const sentence = "Sign-in is not set up yet. The log says why.";
  return text(
    details === undefined ? sentence : `${sentence}\n\n${details}\n`,
    500,
    noStoreHeaders,
  );
}
