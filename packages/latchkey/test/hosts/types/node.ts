import type { Auth, Claims, Session } from "latchkey";
import { protect } from "latchkey/node";
import { createServer } from "node:http";

/** On `node:http` the person is nullable before `require()` and there after it. */
export function sample(auth: Auth) {
  createServer(
    protect(auth, (req, res) => {
      const { user, session } = req.auth;
      const name: string | undefined = user?.name;
      // @ts-expect-error the session is optional here
      const missing: Session = session;
      // @ts-expect-error the person may be nobody
      const sub: string = req.auth.user.sub;
      const signedIn = req.auth.require();
      const person: Claims = signedIn.user;
      const own: Session = signedIn.session;
      const plan: "free" | "gold" | undefined = own.plan;
      const department: string | undefined = person.department;
      // @ts-expect-error a plan is no number
      const wrong: number | undefined = own.plan;
      void req.auth.update((data) => ({ ...data, plan: "gold" }));
      // @ts-expect-error there is no such plan
      void req.auth.update((data) => ({ ...data, plan: "silver" }));
      res.end(
        [name, missing.user.sub, sub, person.sub, own.times.endsAt, plan, department, wrong].join(),
      );
    }),
  );
  // @ts-expect-error a plain request has not passed the door
  createServer((req, res) => res.end(req.auth.user?.name));
  // @ts-expect-error sign-in needs a handler
  protect(auth);
}
