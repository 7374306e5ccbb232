import type { Auth, Claims, Session } from "latchkey";

/** With plain fetch the person is nullable before `require()` and there after it. */
export function sample(auth: Auth) {
  const app = (request: Request): Response => {
    const { user, session } = auth.of(request);
    const name: string | undefined = user?.name;
    // @ts-expect-error the session is optional here
    const missing: Session = session;
    // @ts-expect-error the person may be nobody
    const sub: string = auth.of(request).user.sub;
    const signedIn = auth.of(request).require();
    const person: Claims = signedIn.user;
    const own: Session = signedIn.session;
    const plan: "free" | "gold" | undefined = own.plan;
    const department: string | undefined = person.department;
    // @ts-expect-error a plan is no number
    const wrong: number | undefined = own.plan;
    void auth.of(request).update((data) => ({ ...data, plan: "gold" }));
    // @ts-expect-error there is no such plan
    void auth.of(request).update((data) => ({ ...data, plan: "silver" }));
    return new Response(
      [name, missing.user.sub, sub, person.sub, own.times.endsAt, plan, department, wrong].join(),
    );
  };
  // @ts-expect-error what goes on must return a response
  void auth.respond(new Request("http://localhost/"), () => "text");
  // @ts-expect-error a path is no request
  auth.of("/private");
  return { fetch: (request: Request): Promise<Response> => auth.respond(request, app) };
}
