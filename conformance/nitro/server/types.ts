import type { Claims, Session } from "latchkey";
import type { H3Event } from "nitro";

declare module "latchkey" {
  interface SessionData {
    readonly plan?: "free" | "gold";
  }
}

/** In Nitro the person is nullable before `require()` and there after it. */
export function sample({ context }: H3Event): string {
  const { auth } = context;
  // @ts-expect-error the user may be null
  const sub: string = auth.user.sub;
  const signedIn = auth.require({ scope: ["a", "b"], maxAge: 5 });
  const person: Claims = signedIn.user;
  const own: Session = signedIn.session;
  const plan: "free" | "gold" | undefined = own.plan;
  // @ts-expect-error a plan is no number
  const wrong: number | undefined = own.plan;
  return [sub, person.sub, plan, wrong].join();
}
