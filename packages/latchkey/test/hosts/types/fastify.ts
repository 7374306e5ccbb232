import fastify from "fastify";
import type { Auth, Claims, Session } from "latchkey";
import { latchkey } from "latchkey/fastify";

/** On Fastify the person is nullable before `require()` and there after it. */
export function sample(auth: Auth) {
  const app = fastify();
  app.register(latchkey(auth));
  app.get("/", (request) => {
    const { user, session } = request.auth;
    const name: string | undefined = user?.name;
    // @ts-expect-error the session is optional here
    const missing: Session = session;
    // @ts-expect-error the person may be nobody
    const sub: string = request.auth.user.sub;
    const signedIn = request.auth.require();
    const person: Claims = signedIn.user;
    const own: Session = signedIn.session;
    const plan: "free" | "gold" | undefined = own.plan;
    const department: string | undefined = person.department;
    // @ts-expect-error a plan is no number
    const wrong: number | undefined = own.plan;
    void request.auth.update((data) => ({ ...data, plan: "gold" }));
    // @ts-expect-error there is no such plan
    void request.auth.update((data) => ({ ...data, plan: "silver" }));
    return [
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
  // @ts-expect-error a rule is about the session
  app.get("/rule", (request) => request.auth.require((each: Request) => each.url === ""));
  // @ts-expect-error what is registered is made from an `Auth`
  app.register(latchkey({ secret: "secret" }));
}
