import { createAuth, type Options } from "../auth.ts";
import { createContext } from "../create-context.ts";
import type { SessionData } from "../session/session.ts";

/** A person for your own tests. */
export interface TestSignIn {
  /** The options of the app under test. */
  readonly options: Options;
  readonly session: SessionData;
}

/**
 * Makes the cookies of a signed-in person, sealed as the app itself would: for tests that start behind sign-in.
 *
 * @returns the value of a `Cookie` header
 */
export async function signedInCookies({ options, session }: TestSignIn): Promise<string> {
  const { store, log, hooks, renderProblem, fetch, clock = Date.now, random } = options;
  const { config } = createAuth(options);
  const opened = typeof store === "function" ? await store() : store;
  const parts = { store: opened, log, hooks, renderProblem, fetch, clock, random };
  const { sessions } = createContext(config, parts);
  const setCookies = await sessions.create(session, clock(), {});
  return setCookies.map((line) => line.split(";", 1)[0]).join("; ");
}
