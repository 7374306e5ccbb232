import type { Options } from "../host/auth.ts";
import { readConfig } from "../config/config.ts";
import { separateOptions } from "../host/options.ts";
import { type SessionData, storable } from "../session/session.ts";
import { openPlace, type TestPlace } from "./place-of-test.ts";
import { refuseProduction } from "./refuse-production.ts";

/** A person for your own tests. */
export interface TestSignIn extends TestPlace {
  /** The options of the app under test. */
  readonly options: Options;
  readonly session: SessionData;
  /**
   * Time (epoch seconds) and kind of the user's authentication, for rules with `maxAge` or `acr`.
   */
  readonly proof?: { readonly authTime?: number; readonly acr?: string };
}

/**
 * Returns the cookies of a signed-in user, sealed as by the app itself, for tests that start after
 * sign-in.
 *
 * @returns the value of a `Cookie` header
 * @throws {TypeError} if `NODE_ENV` is production
 */
export async function signedInCookies({
  options,
  session,
  proof,
  ...place
}: TestSignIn): Promise<string> {
  const { settings, store: given, ready } = separateOptions(options);
  refuseProduction();
  const { clock = Date.now } = ready;
  const store = (typeof given === "function" ? await given() : given) ?? null;
  const config = readConfig(settings, { hasStore: store !== null });
  const { context, connection } = await openPlace(config, { ...ready, store }, place);
  const { sub, sid } = session.user;
  const facts = { connection, sub, sid, started: clock(), ...proof };
  const { setCookies } = await context.sessions.create(storable(session), facts, {});
  return setCookies.map((line) => line.split(";", 1)[0]).join("; ");
}
