import Koa from "koa";
import type { Auth } from "latchkey";
import { latchkey } from "latchkey/koa";

import { personOf } from "./request-auth.ts";

/** On Koa the state of every context has `auth`. */
export function sample(auth: Auth) {
  const app = new Koa().use(latchkey(auth));
  app.use((ctx) => void (ctx.body = personOf(ctx.state.auth)));
  // @ts-expect-error the user may be null
  app.use((ctx) => void (ctx.body = ctx.state.auth.user.sub));
  // @ts-expect-error what is mounted is made from an `Auth`
  app.use(latchkey({ secret: "secret" }));
}
