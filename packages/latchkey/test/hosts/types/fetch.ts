import type { Auth } from "latchkey";

import { personOf } from "./request-auth.ts";

/** With plain fetch, an admitted request has an `auth`. */
export function sample(auth: Auth) {
  const app = (request: Request): Response => new Response(personOf(auth.of(request)));
  // @ts-expect-error the user may be null
  const name = (request: Request): string => auth.of(request).user.sub;
  // @ts-expect-error what goes on must return a response
  void auth.respond(new Request("http://localhost/"), () => "text");
  // @ts-expect-error a path is no request
  auth.of("/private");
  return { name, fetch: (request: Request): Promise<Response> => auth.respond(request, app) };
}
