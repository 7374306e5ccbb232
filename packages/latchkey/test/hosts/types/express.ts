import express, { type Request } from "express";
import type { Auth, Claims, Session } from "latchkey";
import { latchkey } from "latchkey/express";

/** On Express the person is nullable before `require()` and there after it. */
export function sample(auth: Auth) {
  const app = express().use(latchkey(auth));
  app.get("/", (req, res) => {
    const { user, session } = req.auth;
    const name: string | undefined = user?.name;
    // @ts-expect-error the session is optional here
    const missing: Session = session;
    // @ts-expect-error the person may be nobody
    const sub: string = req.auth.user.sub;
    const signedIn = req.auth.require((each) => each.user.sub !== "");
    const person: Claims = signedIn.user;
    const own: Session = signedIn.session;
    const plan: "free" | "gold" | undefined = own.plan;
    const department: string | undefined = person.department;
    // @ts-expect-error a plan is no number
    const wrong: number | undefined = own.plan;
    void req.auth.update((data) => ({ ...data, plan: "gold" }));
    // @ts-expect-error there is no such plan
    void req.auth.update((data) => ({ ...data, plan: "silver" }));
    res.send(
      [name, missing.user.sub, sub, person.sub, own.times.endsAt, plan, department, wrong].join(),
    );
  });
  // @ts-expect-error a rule is about the session
  app.get("/rule", (req) => req.auth.require((request: Request) => request.ip === ""));
  app.get("/data", (req) =>
    req.auth.require({ scope: ["a", "b"], claim: { role: "x" }, maxAge: 5 }),
  );
  // @ts-expect-error a rule has no such part
  app.get("/typo", (req) => req.auth.require({ scopes: "a" }));
  // @ts-expect-error a rule answers synchronously
  app.get("/later", (req) => req.auth.require(async () => true));
  // @ts-expect-error what is mounted is made from an `Auth`
  app.use(latchkey({ secret: "secret" }));
}
