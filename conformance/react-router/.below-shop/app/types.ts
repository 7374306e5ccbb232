import type { Claims, Session } from "latchkey";
import { authContext } from "latchkey/react-router";
import type { RouterContextProvider } from "react-router";

declare module "latchkey" {
  interface SessionData {
    readonly plan?: "free" | "gold";
  }
}

/** On React Router the person is nullable before `require()` and there after it. */
export function sample(context: Readonly<RouterContextProvider>): string {
  const auth = context.get(authContext);
  // @ts-expect-error the user may be null
  const sub: string = auth.user.sub;
  const signedIn = auth.require({ scope: ["a", "b"], maxAge: 5 });
  const person: Claims = signedIn.user;
  const own: Session = signedIn.session;
  const plan: "free" | "gold" | undefined = own.plan;
  // @ts-expect-error a plan is no number
  const wrong: number | undefined = own.plan;
  // @ts-expect-error there is no such plan
  void auth.update((data) => ({ ...data, plan: "silver" }));
  // @ts-expect-error a rule has no such part
  auth.require({ scopes: "a" });
  return [sub, person.sub, plan, wrong].join();
}
