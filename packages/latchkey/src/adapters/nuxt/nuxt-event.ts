import type { H3EventContext } from "h3";
import type { IncomingMessage, ServerResponse } from "node:http";

import { AccessError } from "../../errors/access-errors.ts";
import type { AdmittedRequest } from "../../host/host.ts";
import type { ClientNavigation } from "../../http/auth-request.ts";
import { json } from "../../http/response-parts.ts";
import { locationHeader, pageHeader } from "./client-headers.ts";

/** A key of the context of an event. */
export const admittedKey = Symbol("admitted");

/** What is used of an event of h3 1, on which Nuxt 4 stands. */
export interface H3Event {
  readonly context: H3EventContext;
  readonly node: {
    readonly req: IncomingMessage & {
      readonly originalUrl?: string;
      /** Present where Nuxt makes the request to itself: the context of the event in whose course it does so. */
      readonly __unenv__?: { readonly [admittedKey]?: AdmittedRequest };
    };
    readonly res: ServerResponse;
  };
}

/** The data of a page that Nitro keeps have an address of their own, below that of the page. */
export function pageTarget(target: string): string {
  const found = /^([^?]*)\/_payload\.json(\?.*)?$/.exec(target);
  return found === null ? target : (found[1] || "/") + (found[2] ?? "");
}

/** h3 1 and Nitro print whatever is no error of h3, which they know by this mark of its class. */
export function unprinted(error: unknown): unknown {
  if (!(error instanceof AccessError)) return error;
  const value = { name: error.name, __h3_error__: true };
  return Object.defineProperty(error, "constructor", { value });
}

/** Follows no redirect to another origin, so it is told where to go: by a response that is no error in the console. */
export function navigationOf({ headers }: IncomingMessage): ClientNavigation | undefined {
  const page = headers[pageHeader];
  if (typeof page !== "string") return undefined;
  const lead = (location: string) => json(null, 200, [[locationHeader, location]]);
  return { page, isForData: true, lead };
}
