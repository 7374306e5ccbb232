import type { HostRequest } from "../http/auth-request.ts";
import type { RequestTarget } from "../http/request-target.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { AdmittedRequest, Received } from "./admitted-request.ts";
import type { HostContext } from "./host-context.ts";
import type { RouteTable } from "./route-table.ts";
import type { Schemes } from "./schemes.ts";

/** What every request needs, opened once. */
export interface OpenedHost {
  readonly context: HostContext;
  readonly schemes: Schemes;
  readonly table: RouteTable;
  /** Addresses of the parts of the app. */
  readonly routes?: PartRoutes | undefined;
}

/** Responds to a request for an address of a part; `null` for others. */
export type PartRoutes = (request: HostRequest, target: RequestTarget) => ResponseParts | null;

/** Answers our own routes and refused requests, and admits the rest. */
export type Receive = (
  opened: OpenedHost,
  request: HostRequest,
  outer?: AdmittedRequest,
) => Promise<Received>;
