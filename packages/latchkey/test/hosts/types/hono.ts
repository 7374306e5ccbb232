import { Hono } from "hono";
import type { Auth } from "latchkey";
import { latchkey, type LatchkeyEnvironment } from "latchkey/hono";

import { personOf } from "./request-auth.ts";

/** On Hono every context has `auth`, also in a file that mounts nothing. */
export function sample(auth: Auth) {
  const app = new Hono().use(latchkey(auth));
  app.get("/", (c) => c.text(personOf(c.var.auth) + personOf(c.get("auth"))));
  // @ts-expect-error the user may be null
  app.get("/name", (c) => c.text(c.var.auth.user.sub));
  const mounted = new Hono();
  mounted.use(latchkey(auth));
  mounted.get("/", (c) => c.text(personOf(c.var.auth)));
  new Hono().get("/", (c) => c.text(personOf(c.var.auth)));
  const named = new Hono<LatchkeyEnvironment>();
  named.use(latchkey(auth));
  named.get("/", (c) => c.text(personOf(c.var.auth)));
}
