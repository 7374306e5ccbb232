import type { Claims, Session } from "latchkey";
import { auth } from "./auth";

declare module "latchkey" {
  interface SessionData {
    readonly plan?: "free" | "gold";
  }
}

/** In Next.js the person is nullable before `require()` and there after it. */
export async function sample(): Promise<string> {
  const asked = await auth();
  // @ts-expect-error the user may be null
  const sub: string = asked.user.sub;
  const signedIn = asked.require({ scope: ["a", "b"], maxAge: 5 });
  const person: Claims = signedIn.user;
  const own: Session = signedIn.session;
  const plan: "free" | "gold" | undefined = own.plan;
  // @ts-expect-error a plan is no number
  const wrong: number | undefined = own.plan;
  // @ts-expect-error there is no such plan
  void asked.update((data) => ({ ...data, plan: "silver" }));
  // @ts-expect-error a rule has no such part
  asked.require({ scopes: "a" });
  return [sub, person.sub, plan, wrong].join();
}
