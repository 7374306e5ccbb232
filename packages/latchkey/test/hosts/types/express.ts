import express from "express";
import type { Auth } from "latchkey";
import { latchkey } from "latchkey/express";

import { personOf } from "./request-auth.ts";

/** On Express every request has `auth`. */
export function sample(auth: Auth) {
  const app = express().use(latchkey(auth));
  app.get("/", (req, res) => res.send(personOf(req.auth)));
  // @ts-expect-error the user may be null
  app.get("/name", (req, res) => res.send(req.auth.user.sub));
  // @ts-expect-error what is mounted is made from an `Auth`
  app.use(latchkey({ secret: "secret" }));
}
