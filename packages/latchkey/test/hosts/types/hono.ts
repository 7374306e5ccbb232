import { Hono } from "hono";
import type { Auth, Claims, Session } from "latchkey";
import { latchkey } from "latchkey/hono";

/** On Hono the person is nullable before `require()` and there after it. */
export function sample(auth: Auth) {
  const app = new Hono().use(latchkey(auth));
  app.get("/", (c) => {
    const { user, session } = c.var.auth;
    const name: string | undefined = user?.name;
    // @ts-expect-error the session is optional here
    const missing: Session = session;
    // @ts-expect-error the person may be nobody
    const sub: string = c.var.auth.user.sub;
    const signedIn = c.get("auth").require();
    const person: Claims = signedIn.user;
    const own: Session = signedIn.session;
    return c.text([name, missing.user.sub, sub, person.sub, own.times.endsAt].join());
  });
  // @ts-expect-error without the middleware there is no `auth`
  new Hono().get("/", (c) => c.text(c.var.auth.user?.name ?? ""));
}
