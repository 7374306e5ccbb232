import type { Context } from "../context.ts";
import type { Engine } from "../host/engine.ts";
import type { HostRequest } from "../http/auth-request.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { Seen } from "./watch-context.ts";

/** A login or a callback after its response. */
export interface Followed {
  readonly request: HostRequest;
  readonly context: Context;
  /** Those of the cookies. */
  readonly secrets: Engine["secrets"];
  readonly seen: Seen;
  readonly response: ResponseParts;
  /** When the request came, in epoch milliseconds. */
  readonly at: number;
}
