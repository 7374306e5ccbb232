import { createMiddleware } from "@tanstack/react-start";
import type { Claims, Session } from "latchkey";
import { authFromEnvironment } from "latchkey/node";
import { latchkey } from "latchkey/tanstack-start";

declare module "latchkey" {
  interface SessionData {
    readonly plan?: "free" | "gold";
  }
}

const auth = authFromEnvironment();
const signIn = createMiddleware().server(({ request, next }) => latchkey(auth, { request, next }));

/** In TanStack Start the person is nullable before `require()` and there after it. */
export const sample = createMiddleware()
  .middleware([signIn])
  .server(({ context, next }) => {
    // @ts-expect-error the user may be null
    const sub: string = context.auth.user.sub;
    const signedIn = context.auth.require({ scope: ["a", "b"], maxAge: 5 });
    const person: Claims = signedIn.user;
    const own: Session = signedIn.session;
    const plan: "free" | "gold" | undefined = own.plan;
    // @ts-expect-error a plan is no number
    const wrong: number | undefined = own.plan;
    // @ts-expect-error there is no such plan
    void context.auth.update((data) => ({ ...data, plan: "silver" }));
    // @ts-expect-error a rule has no such part
    context.auth.require({ scopes: "a" });
    return next({ context: { said: [sub, person.sub, plan, wrong].join() } });
  });
