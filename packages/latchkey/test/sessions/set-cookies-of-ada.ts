import type { Context } from "../../src/context.ts";

/** Signs Ada in, without a provider, and returns the `Set-Cookie` values of her new session. */
export async function setCookiesOfAda(
  context: Pick<Context, "connections" | "sessions">,
): Promise<readonly string[]> {
  const connection = context.connections.default;
  const signIn = { connection, sub: "ada", sid: undefined, started: Date.now() };
  return (await context.sessions.create({ user: { sub: "ada" } }, signIn, {})).setCookies;
}
