import type { Options } from "../auth.ts";
import { readConfig } from "../config/config.ts";
import { createContext } from "../host/create-context.ts";
import { separateOptions } from "../host/options.ts";
import { type SessionData, storable } from "../session/session.ts";

export { type StoreTest, storeTests } from "../stores/store-tests.ts";

/** A person for your own tests. */
export interface TestSignIn {
  /** The options of the app under test. */
  readonly options: Options;
  readonly session: SessionData;
  /** When (epoch seconds) and how the person has proved who they are, for rules with `maxAge` or `acr`. */
  readonly proof?: { readonly authTime?: number; readonly acr?: string };
}

/**
 * Makes the cookies of a signed-in person, sealed as the app itself would: for tests that start behind sign-in.
 *
 * @returns the value of a `Cookie` header
 */
export async function signedInCookies({ options, session, proof }: TestSignIn): Promise<string> {
  const { settings, store: given, parts } = separateOptions(options);
  const { clock = Date.now } = parts;
  const store = (typeof given === "function" ? await given() : given) ?? null;
  const config = readConfig(settings, { hasStore: store !== null });
  const { sessions } = createContext(config, { ...parts, store });
  const { sub, sid } = session.user;
  const facts = { sub, sid, started: clock(), ...proof };
  const { setCookies } = await sessions.create(storable(session), facts, {});
  return setCookies.map((line) => line.split(";", 1)[0]).join("; ");
}
