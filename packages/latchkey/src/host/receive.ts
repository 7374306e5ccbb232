import type { HostRequest } from "../http/auth-request.ts";
import type { RequestTarget } from "../http/request-target.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { AdmittedRequest, Received } from "./admitted-request.ts";
import type { HostContext } from "./host-context.ts";

/** Answers our own routes and refused requests of one site, and admits the rest. */
export type Receive = (
  context: HostContext,
  request: HostRequest,
  outer?: AdmittedRequest,
) => Promise<Received>;

/** Responds to a request for an address of a part; `null` for others. */
export type PartRoutes = (
  context: HostContext,
  request: HostRequest,
  target: RequestTarget,
) => ResponseParts | null;
