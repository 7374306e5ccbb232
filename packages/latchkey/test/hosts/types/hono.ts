import { Hono } from "hono";
import type { Auth } from "latchkey";
import { latchkey, type LatchkeyEnvironment } from "latchkey/hono";

import { personOf } from "./request-auth.ts";

/** On Hono the context has `auth` behind the middleware. */
export function sample(auth: Auth) {
  const app = new Hono().use(latchkey(auth));
  app.get("/", (c) => c.text(personOf(c.var.auth) + personOf(c.get("auth"))));
  // @ts-expect-error the person may be nobody
  app.get("/name", (c) => c.text(c.var.auth.user.sub));
  // @ts-expect-error without the middleware there is no `auth`
  new Hono().get("/", (c) => c.text(c.var.auth.user?.name ?? ""));
  // Where the routes are not behind the middleware in one chain, the app says so.
  const named = new Hono<LatchkeyEnvironment>();
  named.use(latchkey(auth));
  named.get("/", (c) => c.text(personOf(c.var.auth)));
}
