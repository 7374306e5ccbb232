import { Hono } from "hono";
import type { Auth } from "latchkey";
import { latchkey, type LatchkeyEnvironment } from "latchkey/hono";

import { personOf } from "./request-auth.ts";

/** On Hono the context has `auth` behind the middleware. */
export function sample(auth: Auth) {
  const app = new Hono().use(latchkey(auth));
  app.get("/", (c) => c.text(personOf(c.var.auth) + personOf(c.get("auth"))));
  // @ts-expect-error the user may be null
  app.get("/name", (c) => c.text(c.var.auth.user.sub));
  // @ts-expect-error without the middleware there is no `auth`
  new Hono().get("/", (c) => c.text(c.var.auth.user?.name ?? ""));
  // Without the middleware in the same chain, the app names the type of the context.
  const named = new Hono<LatchkeyEnvironment>();
  named.use(latchkey(auth));
  named.get("/", (c) => c.text(personOf(c.var.auth)));
}
