import fastify from "fastify";
import type { Auth } from "latchkey";
import { latchkey } from "latchkey/fastify";

import { personOf } from "./request-auth.ts";

/** On Fastify every request has `auth`. */
export function sample(auth: Auth) {
  const app = fastify();
  app.register(latchkey(auth));
  app.get("/", (request) => personOf(request.auth));
  // @ts-expect-error the user may be null
  app.get("/name", (request) => request.auth.user.sub);
  // @ts-expect-error what is registered is made from an `Auth`
  app.register(latchkey({ secret: "secret" }));
}
