import type { Awaitable } from "../awaitable.ts";
import type { OpenVisit } from "./visit.ts";

/**
 * The visit of each request, for as long as the request lives.
 *
 * It is kept on the request itself, under a symbol that nobody else has. A `WeakMap` would say the same more
 * plainly, and cost more than opening the session: the collector looks after every entry of it.
 */
export interface Visits {
  of(request: Request): Awaitable<OpenVisit> | undefined;
  keep<V extends Awaitable<OpenVisit>>(request: Request, visit: V): V;
}

export function createVisits(): Visits {
  const key = Symbol("latchkey visit");
  type Visited = Request & { [key]?: Awaitable<OpenVisit> };
  return {
    of: (request: Visited) => request[key],
    keep(request: Visited, visit) {
      request[key] = visit;
      return visit;
    },
  };
}
