import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import type { HostRequest } from "../http/auth-request.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { MaybePromise } from "../maybe-promise.ts";

/** Shows developers the recent sign-ins, step by step: `inspector()` of `latchkey/inspector`. */
export interface Inspector {
  /** The address of its page. */
  address(config: Config): string;
  /** Follows a request through sign-in, or responds with the page. */
  receive<Received extends object>(
    request: HostRequest,
    context: Context,
    receive: (request: HostRequest, context: Context) => Promise<Received>,
  ): Promise<Received | { readonly response: ResponseParts }>;
}

/** Creates an inspector. Called in development only. */
export type InspectorPart = () => MaybePromise<Inspector>;
