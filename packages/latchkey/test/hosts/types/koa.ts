import Koa from "koa";
import type { Auth, Claims, Session } from "latchkey";
import { latchkey } from "latchkey/koa";

/** On Koa the person is nullable before `require()` and there after it. */
export function sample(auth: Auth) {
  const app = new Koa().use(latchkey(auth));
  app.use((ctx) => {
    const { user, session } = ctx.state.auth;
    const name: string | undefined = user?.name;
    // @ts-expect-error the session is optional here
    const missing: Session = session;
    // @ts-expect-error the person may be nobody
    const sub: string = ctx.state.auth.user.sub;
    const signedIn = ctx.state.auth.require();
    const person: Claims = signedIn.user;
    const own: Session = signedIn.session;
    const plan: "free" | "gold" | undefined = own.plan;
    const department: string | undefined = person.department;
    // @ts-expect-error a plan is no number
    const wrong: number | undefined = own.plan;
    void ctx.state.auth.update((data) => ({ ...data, plan: "gold" }));
    // @ts-expect-error there is no such plan
    void ctx.state.auth.update((data) => ({ ...data, plan: "silver" }));
    ctx.body = [
      name,
      missing.user.sub,
      sub,
      person.sub,
      own.times.endsAt,
      plan,
      department,
      wrong,
    ].join();
  });
  // @ts-expect-error what is mounted is made from an `Auth`
  app.use(latchkey({ secret: "secret" }));
}
