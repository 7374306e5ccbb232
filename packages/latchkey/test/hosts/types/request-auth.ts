import type { Claims, RequestAuth, Session } from "latchkey";

/** What a handler knows of the person by types: nullable before `require()`, and there after it. */
export function personOf(auth: RequestAuth): string {
  const { user, session } = auth;
  const name: string | undefined = user?.name;
  // @ts-expect-error the session is optional here
  const missing: Session = session;
  // @ts-expect-error the user may be null
  const sub: string = auth.user.sub;
  const signedIn = auth.require((each) => each.user.sub !== "");
  const person: Claims = signedIn.user;
  const own: Session = signedIn.session;
  const plan: "free" | "gold" | undefined = own.plan;
  const department: string | undefined = person.department;
  // @ts-expect-error a plan is no number
  const wrong: number | undefined = own.plan;
  void auth.update((data) => ({ ...data, plan: "gold" }));
  // @ts-expect-error there is no such plan
  void auth.update((data) => ({ ...data, plan: "silver" }));
  auth.require({ scope: ["a", "b"], claim: { role: "x" }, maxAge: 5 });
  // @ts-expect-error a rule is about the session
  auth.require((request: Request) => request.url === "");
  // @ts-expect-error a rule has no such part
  auth.require({ scopes: "a" });
  // @ts-expect-error a rule answers synchronously
  auth.require(async () => true);
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
}
