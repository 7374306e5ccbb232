import type { Auth } from "latchkey";
import { protect } from "latchkey/node";
import { createServer } from "node:http";

import { personOf } from "./request-auth.ts";

/** On `node:http`, an admitted request has `auth`. */
export function sample(auth: Auth) {
  createServer(protect(auth, (req, res) => res.end(personOf(req.auth))));
  // @ts-expect-error the user may be null
  createServer(protect(auth, (req, res) => res.end(req.auth.user.sub)));
  // @ts-expect-error a plain request has not passed the middleware
  createServer((req, res) => res.end(req.auth.user?.name));
  // @ts-expect-error sign-in needs a handler
  protect(auth);
}
