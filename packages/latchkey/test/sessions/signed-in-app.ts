import { createAuth, type LogEvent, type Options } from "../../src/index.ts";
import { signedInCookies } from "../../src/testing/index.ts";
import { jarOf } from "../browser/cookie-jar.ts";
import { goodSettings } from "../settings.ts";

/** When the session of {@link signedInApp} began. */
export const began = 1_800_000_000;

/** What is in it. */
export const session = { user: { sub: "ada", name: "Ada" }, accessToken: "at" };

/** Creates an app with one public path and its own clock, and a signed-in user. */
export async function signedInApp(changes: Partial<Options> = {}) {
  let now = began * 1000;
  const events: LogEvent[] = [];
  const options: Options = {
    ...goodSettings,
    publicPaths: ["/"],
    clock: () => now,
    log: (event) => void events.push(event),
    ...changes,
  };
  const silent = { ...options, log: () => undefined };
  const cookie = await signedInCookies({ options: silent, session });
  return {
    auth: createAuth(options),
    options,
    cookie,
    jar: jarOf(cookie),
    events,
    advance: (seconds: number) => void (now += seconds * 1000),
  };
}
