import { H3 } from "h3";
import type { Auth } from "latchkey";
import { latchkey } from "latchkey/h3";

import { personOf } from "./request-auth.ts";

/** On h3 the context of every event has `auth`. */
export function sample(auth: Auth) {
  const app = new H3().use(latchkey(auth));
  app.get("/", ({ context }) => personOf(context.auth));
  // @ts-expect-error the user may be null
  app.get("/name", ({ context }) => context.auth.user.sub);
  // @ts-expect-error what is mounted is made from an `Auth`
  app.use(latchkey({ secret: "secret" }));
}
