import { type Auth, createAuth, type SessionData } from "latchkey";
import { authFromEnvironment } from "latchkey/node";

declare module "latchkey" {
  interface SessionData {
    readonly plan?: "free" | "gold";
  }
}

/** In Deno the person is nullable before `require()` and there after it. */
export function sample(request: Request): string {
  const auth: Auth = authFromEnvironment({});
  // @ts-expect-error the user may be null
  const sub: string = auth.of(request).user.sub;
  const { user, session } = auth.of(request).require();
  const data: SessionData = session;
  // @ts-expect-error a plan is no number
  const wrong: number | undefined = session.plan;
  return [sub, user.sub, data.plan, wrong].join();
}

// @ts-expect-error settings are missing
createAuth({});
