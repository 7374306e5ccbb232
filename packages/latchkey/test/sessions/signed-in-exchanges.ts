import { createExchange, type Exchange } from "../../src/request/exchange.ts";
import { readConfig } from "../../src/config/config.ts";
import type { HostContext } from "../../src/host/host-context.ts";
import { createContext } from "../../src/host/create-context.ts";
import { createEngine } from "../../src/host/create-engine.ts";
import { separateOptions } from "../../src/host/options.ts";
import { openParts } from "../../src/host/part.ts";
import { fromFetchRequest, type HostRequest } from "../../src/http/auth-request.ts";
import type { LogEvent, Options } from "../../src/index.ts";
import type { SessionData } from "../../src/session/session.ts";
import type { WrittenSession } from "../../src/session/place.ts";
import { cookieHeader, type Jar, jarAfter } from "../browser/cookie-jar.ts";
import { goodSettings } from "../settings.ts";
import { began, session } from "./signed-in-app.ts";

/** The requests of a person who is signed in, without a host between. */
export interface SignedInExchanges {
  readonly context: HostContext;
  /** What was logged after the sign-in. */
  readonly events: readonly LogEvent[];
  /** The session as it was written at the sign-in. */
  readonly written: WrittenSession;
  /**
   * Returns the next request, by default with the cookies of the sign-in, as from a standard host.
   */
  ask(jar?: Jar, more?: Partial<HostRequest>): Exchange;
  advance(seconds: number): void;
}

export async function signedInExchanges(
  { store, ...changes }: Partial<Options> = {},
  data: SessionData = session,
): Promise<SignedInExchanges> {
  let now = began * 1000;
  const events: LogEvent[] = [];
  const {
    settings,
    ready: given,
    parts,
  } = separateOptions({
    ...goodSettings,
    clock: () => now,
    log: (event) => void events.push(event),
    ...changes,
  });
  const opened = typeof store === "object" ? store : null;
  const config = readConfig(settings, { hasStore: opened !== null });
  const ready = { ...given, store: opened };
  const engine = createEngine(config, ready);
  const context = createContext(
    config,
    { ...ready, opened: await openParts(parts, engine) },
    engine,
  );
  const signIn = {
    connection: context.connections.default,
    sub: data.user.sub,
    sid: data.user.sid,
    started: now,
  };
  const written = await context.sessions.create(data, signIn, {});
  events.length = 0;
  return {
    context,
    events,
    written,
    ask(jar = jarAfter(written.setCookies), more = {}) {
      const headers = { cookie: cookieHeader(jar) };
      const request = fromFetchRequest(new Request(config.baseURL, { headers }), config.origin);
      return createExchange(context, { ...request, ...more });
    },
    advance: (seconds) => void (now += seconds * 1000),
  };
}
