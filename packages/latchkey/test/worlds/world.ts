import { type ProviderSettings, type RunningProvider, startProvider } from "@latchkey/provider";

import {
  type Auth,
  createAuth,
  type LogEvent,
  type Options,
  type Problem,
  type RequestAuth,
} from "../../src/index.ts";
import { type MemoryStore, memoryStore } from "../../src/stores/memory.ts";
import { type Answer, type Browser, createBrowser } from "../browser/browser.ts";
import { atEnd } from "../at-end.ts";
import { handleRequest } from "../handle-request.ts";
import { listenerOf, startServer } from "../servers/server.ts";

/** An app with sign-in, a provider beside it, and what the app has logged. */
export interface World<Provider = RunningProvider> {
  readonly auth: Auth;
  readonly baseURL: string;
  readonly provider: Provider;
  /** The store of the app, unless the options bring another. */
  readonly store: MemoryStore;
  readonly events: readonly LogEvent[];
  /** What the app is made from: another `Auth` of these is another instance of it. */
  readonly options: Options;
  /** Moves the app's clock on, or back. */
  advance(seconds: number): void;
  browser(): Browser;
  /** Returns a browser after a completed sign-in. */
  signedIn(person?: string, userAgent?: string): Promise<Browser>;
  /** What a handler makes of a request of a browser, by default in the app itself. */
  handle<T>(
    browser: Browser,
    handler: (here: RequestAuth) => T | Promise<T>,
    auth?: Auth,
  ): Promise<T | undefined>;
  /** Whether the browser with these cookies is signed in. */
  isSignedIn(cookie: string): Promise<boolean>;
}

export interface WorldSettings {
  readonly options?: Partial<Options>;
  readonly provider?: ProviderSettings;
  /** Path of the base URL, e.g. `/shop`. */
  readonly basePath?: string;
  /** The app's response to requests passed on by sign-in. */
  readonly app?: (request: Request, auth: Auth) => Promise<Response> | Response;
}

export const secret = "a-secret-of-the-test-suite-0123456789abcdef";

/** The app on loopback, and the local provider. It ends by itself. */
export async function startWorld(settings: WorldSettings = {}): Promise<World> {
  const server = await startServer();
  const baseURL = server.origin + (settings.basePath ?? "");
  const started = await startProvider({ ...settings.provider, port: 0, appURL: baseURL });
  let stopping: Promise<void> | null = null;
  const provider = { ...started, close: () => (stopping ??= started.close()) };
  const [client] = provider.clients;
  const options = {
    issuerBaseURL: provider.issuer,
    clientID: client?.id ?? "",
    clientSecret: client?.secret ?? "",
  };
  let offsetMs = 0;
  const time = {
    now: () => Date.now() + offsetMs,
    advance: (seconds: number) => void (offsetMs += seconds * 1000),
  };
  const browser = () => createBrowser(baseURL);
  const world = createWorld(settings, { baseURL, provider, time, options, browser });
  server.serve(listenerOf((request) => answerOf(world, settings, request)));
  atEnd(async () => {
    await server.close();
    await provider.close();
  });
  return world;
}

/** A clock under control of the test. */
interface Time {
  /** In epoch milliseconds. */
  readonly now: () => number;
  readonly advance: (seconds: number) => void;
}

/** What a world stands in. */
interface Surroundings<Provider> {
  readonly baseURL: string;
  readonly provider: Provider;
  readonly time: Time;
  /** By which the app knows the provider. */
  readonly options: Partial<Options> & Pick<Options, "clientID" | "issuerBaseURL">;
  browser(): Browser;
}

export function createWorld<Provider>(
  settings: WorldSettings,
  { baseURL, provider, time, browser, ...surroundings }: Surroundings<Provider>,
): World<Provider> {
  const events: LogEvent[] = [];
  const { now: clock, advance } = time;
  const store = memoryStore(clock);
  const options: Options = {
    baseURL,
    secret,
    backchannelLogout: true,
    store,
    clock,
    log: (event) => events.push(event),
    renderProblem: (problem) => JSON.stringify(problem),
    ...surroundings.options,
    ...settings.options,
  };
  const auth = createAuth(options);
  return {
    auth,
    baseURL,
    provider,
    store,
    events,
    options,
    advance,
    browser,
    async signedIn(person, userAgent = "Test/1") {
      const signed = browser();
      const { address, init } = await signed.untilCallback("/api/auth/login", person);
      const headers = { ...(init.headers as Record<string, string>), "user-agent": userAgent };
      await signed.request(address, { ...init, headers });
      await signed.request("/api/auth/me");
      return signed;
    },
    async handle(by, handler, at = auth) {
      const headers = { cookie: await by.cookies() };
      return (await handleRequest(at, new Request(baseURL, { headers }), handler)).made;
    },
    async isSignedIn(cookie) {
      return (await browser().request("/api/auth/me", { headers: { cookie } })).status === 200;
    },
  };
}

export function answerOf(
  { auth }: Pick<World, "auth">,
  { app = echo }: WorldSettings,
  request: Request,
): Response | Promise<Response> {
  return auth.respond(request, (passed) => app(passed, auth));
}

/** Responds with the session of the request. */
export function showSession(request: Request, auth: Auth): Response {
  return Response.json(auth.of(request).session);
}

function echo(request: Request): Response {
  return new Response(`page ${new URL(request.url).pathname}`);
}

/** Returns the problem behind the app's page: in these tests the page contains only the problem. */
export function problemIn({ text }: Answer): Problem {
  return JSON.parse(text) as Problem;
}
