import { configAt, readConfig } from "../../src/config/config.ts";
import type { Settings } from "../../src/config/settings.ts";
import { createContexts } from "../../src/host/create-context.ts";
import { createEngine } from "../../src/host/create-engine.ts";
import type { HostContext } from "../../src/host/host-context.ts";
import { fromFetchRequest } from "../../src/http/auth-request.ts";
import type { LogEvent } from "../../src/index.ts";
import { createExchange, type Exchange } from "../../src/request/exchange.ts";
import type { SessionData } from "../../src/session/session.ts";
import type { Store } from "../../src/stores/store.ts";
import { cookieHeader, type Jar, jarAfter } from "../browser/cookie-jar.ts";
import { goodSettings } from "../settings.ts";

/** When the sessions of these tests begin, in epoch seconds. */
const began = 1_800_000_000;

/** Beside `default`: another provider, and another organization at the client of `default`. */
export const connections = {
  acme: {
    issuerBaseURL: "https://id.acme.example",
    clientID: "acme-client",
    clientSecret: "acme-secret",
  },
  beta: { uses: "default", organization: "org_beta" },
} as const satisfies Settings["connections"];

export const several = { ...goodSettings, identity: "issuer+sub", connections } as const;

/** The secondary site of these tests. */
export const otherURL = "https://acme.example";

/** One instance of an app with sites of several hosts. */
export interface SeveralSites {
  readonly primary: HostContext;
  readonly other: HostContext;
  /** The log of sessions that were left alone. */
  leftAlone(): readonly string[];
  advance(seconds: number): void;
  /** Signs in at a site, and returns the cookies of the browser. */
  signIn(context: HostContext, connection?: string, data?: SessionData): Promise<Jar>;
  /** Returns a request to a site. */
  ask(context: HostContext, jar: Jar, path?: string): Exchange;
}

export interface SitesOptions {
  readonly settings?: Settings;
  readonly store?: Store | null;
  /** Of the second site. */
  readonly otherURL?: string;
}

export function severalSites(options: SitesOptions = {}): SeveralSites {
  const { settings = several, store = null } = options;
  let now = began * 1000;
  const events: LogEvent[] = [];
  const parts = {
    store,
    clock: () => now,
    log: (event: LogEvent) => void events.push(event),
  };
  const config = readConfig(settings, { hasStore: store !== null });
  const contextAt = createContexts(createEngine(config, parts), parts);
  return {
    primary: contextAt(config),
    other: contextAt(configAt(config, options.otherURL ?? otherURL)),
    leftAlone: () =>
      events.flatMap((event) =>
        event.event === "warning" && event.message.startsWith("A request carried")
          ? [event.message]
          : [],
      ),
    advance: (seconds) => void (now += seconds * 1000),
    async signIn(context, id = "default", data = { user: { sub: "ada" } }) {
      const connection = await context.connections.byID(id);
      if (connection === null) throw new TypeError(`no connection ${id}`);
      const signIn = { connection, sub: data.user.sub, sid: data.user.sid, started: now };
      return jarAfter((await context.sessions.create(data, signIn, {})).setCookies);
    },
    ask(context, jar, path = "/") {
      const { baseURL, origin } = context.config;
      const request = new Request(baseURL + path, { headers: { cookie: cookieHeader(jar) } });
      return createExchange(context, fromFetchRequest(request, origin));
    },
  };
}
