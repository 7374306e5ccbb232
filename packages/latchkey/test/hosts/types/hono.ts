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
    const plan: "free" | "gold" | undefined = own.plan;
    const department: string | undefined = person.department;
    // @ts-expect-error a plan is no number
    const wrong: number | undefined = own.plan;
    void c.var.auth.update((data) => ({ ...data, plan: "gold" }));
    // @ts-expect-error there is no such plan
    void c.var.auth.update((data) => ({ ...data, plan: "silver" }));
    return c.text(
      [name, missing.user.sub, sub, person.sub, own.times.endsAt, plan, department, wrong].join(),
    );
  });
  // @ts-expect-error without the middleware there is no `auth`
  new Hono().get("/", (c) => c.text(c.var.auth.user?.name ?? ""));
}
