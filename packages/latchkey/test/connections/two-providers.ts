import {
  type BrowserRequest,
  type HostileProvider,
  type HostileSettings,
  startHostileProvider,
} from "@latchkey/provider/hostile";
import express from "express";
import type { RequestListener } from "node:http";

import { latchkey } from "../../src/adapters/express.ts";
import { protect } from "../../src/adapters/node.ts";
import {
  type Auth,
  createAuth,
  type LogEvent,
  type Options,
  type Problem,
} from "../../src/index.ts";
import type { ConnectionOptions } from "../../src/config/connection-options.ts";
import { createBuiltInPages } from "../../src/routes/built-in-pages.ts";
import { type MemoryStore, memoryStore } from "../../src/stores/memory.ts";
import { atEnd } from "../at-end.ts";
import { type Answer, type Browser, createBrowser } from "../browser/browser.ts";
import { defaultLook } from "../built-in-gallery.ts";
import { handleRequest } from "../handle-request.ts";
import { listenerOf, startServer } from "../servers/server.ts";

/** Hosts of the three kinds: on sockets of Node, a framework there, and web-standard. */
export const hosts = {
  "node:http": (auth) => protect(auth, (req, res) => void res.end(`page ${req.url}`)),
  Express: (auth) =>
    express()
      .use(latchkey(auth))
      .use((req, res) => void res.end(`page ${req.originalUrl}`)),
  fetch: (auth) =>
    listenerOf((request) =>
      auth.respond(request, (passed) => new Response(`page ${new URL(passed.url).pathname}`)),
    ),
} as const satisfies Readonly<Record<string, (auth: Auth) => RequestListener>>;

export type HostName = keyof typeof hosts;

/** An app with the connections `default` at the first provider and `globex` at the second. */
export interface TwoProviders {
  readonly auth: Auth;
  readonly baseURL: string;
  readonly first: HostileProvider;
  readonly second: HostileProvider;
  readonly store: MemoryStore;
  readonly events: readonly LogEvent[];
  readonly problems: readonly Problem[];
  /** What the app is made from. */
  readonly options: Options;
  browser(): Browser;
  /** Serves another app at the same address. */
  serve(options: Partial<Options>): Auth;
  advance(seconds: number): void;
}

export interface TwoProvidersSettings {
  readonly host?: HostName;
  readonly options?: Partial<Options>;
  readonly globex?: ConnectionOptions;
  readonly more?: Readonly<Record<string, ConnectionOptions>>;
  readonly provider?: HostileSettings;
}

const secret = "a-secret-of-the-connections-tests-0123456789";

export async function startTwoProviders(
  settings: TwoProvidersSettings = {},
): Promise<TwoProviders> {
  const { host = "fetch" } = settings;
  const server = await startServer();
  let offsetMs = 0;
  const clock = () => Date.now() + offsetMs;
  const ofGlobex = { id: "globex-client", secret: "globex-secret" };
  const [first, second] = await Promise.all([
    startHostileProvider({ now: clock, ...settings.provider }),
    startHostileProvider({ now: clock, client: ofGlobex }),
  ]);
  const events: LogEvent[] = [];
  const problems: Problem[] = [];
  const store = memoryStore(clock);
  const options: Options = {
    baseURL: server.origin,
    ...settingsAt(first),
    secret,
    identity: "issuer+sub",
    store,
    clock,
    log: (event) => events.push(event),
    renderProblem(problem, request, session) {
      problems.push(problem);
      return createBuiltInPages(defaultLook).problem(problem, request, session);
    },
    ...settings.options,
    connections: { globex: { ...settingsAt(second), ...settings.globex }, ...settings.more },
  };
  let auth = createAuth(options);
  server.serve(hosts[host](auth));
  atEnd(async () => {
    await server.close();
    await Promise.all([first.close(), second.close()]);
  });
  const serve = (changes: Partial<Options>) => {
    auth = createAuth({ ...options, ...changes });
    server.serve(hosts[host](auth));
    return auth;
  };
  const parts = { first, second, store, events, problems, options, serve };
  return {
    ...parts,
    get auth() {
      return auth;
    },
    baseURL: server.origin,
    browser: () => createBrowser(server.origin),
    advance: (seconds) => void (offsetMs += seconds * 1000),
  };
}

/** The settings of the client of a provider. */
export function settingsAt({ issuer, client }: Pick<HostileProvider, "client" | "issuer">) {
  return {
    issuerBaseURL: issuer,
    clientID: client.id,
    clientSecret: client.secret,
    backchannelLogout: true,
  };
}

/** A sign-in whose response the browser has not sent yet. */
export interface Begun {
  readonly login: Answer;
  readonly returned: BrowserRequest;
  readonly state: string;
}

/** Begins a sign-in, up to the response of its provider. */
export async function begin(
  { first, events }: Pick<TwoProviders, "first" | "events">,
  browser: Browser,
  path = "/api/auth/login/default",
): Promise<Begun> {
  const login = await browser.request(path);
  if (login.location === "") {
    const refusals = events.filter((each) => each.event === "refusal");
    throw new Error(`${path} answers ${login.status}: ${JSON.stringify(refusals)}`);
  }
  // Any provider may be opened by it.
  const returned = await first.visit(login.location);
  if (returned === null) throw new Error(`No browser was sent back from ${login.location}`);
  const { form, url } = returned;
  const state = form.get("state") ?? new URL(url).searchParams.get("state") ?? "";
  return { login, returned, state };
}

/** Sends a response to the app, as a navigation from another site; by default to its address. */
export async function arrive(
  browser: Browser,
  { method, url, form }: BrowserRequest,
  path = new URL(url).pathname,
): Promise<Answer> {
  const address = new URL(url);
  address.pathname = path;
  const context = { sameSiteContext: method === "GET" ? "lax" : "none" } as const;
  const cookie = await browser.jar.getCookieString(address.href, context);
  const body = method === "POST" ? { body: form } : {};
  return browser.request(address.href, { method, headers: { cookie }, ...body });
}

export async function signIn(
  world: Pick<TwoProviders, "first" | "events">,
  browser: Browser,
  path?: string,
): Promise<Answer> {
  const { returned } = await begin(world, browser, path);
  return arrive(browser, returned);
}

/** The names of the endpoints that a provider was called at, for codes and tokens. */
export function callsTo(provider: HostileProvider): readonly (string | undefined)[] {
  const ofBrowser = ["metadata", "keys", "authorization", "end-session"];
  return provider.requests
    .map(({ endpoint }) => endpoint)
    .filter((endpoint) => !ofBrowser.includes(endpoint ?? ""));
}

export async function signedIn(world: TwoProviders, path: string): Promise<Browser> {
  const browser = world.browser();
  const { status } = await signIn(world, browser, path);
  if (status !== 302) throw new Error(`${status}: ${JSON.stringify(world.events.slice(-3))}`);
  return browser;
}

/** A new access token for a browser, or the code of the error. */
export async function tokenOf(world: TwoProviders, browser: Browser, auth = world.auth) {
  const headers = { cookie: await browser.cookies() };
  const { made } = await handleRequest(
    auth,
    new Request(`${world.baseURL}/`, { headers }),
    (here) => here.accessToken({ refresh: true }).catch(({ code }: { code: string }) => code),
  );
  return made;
}
