import {
  type Conduct,
  type HostileProvider,
  type HostileSettings,
  startHostileProvider,
} from "@latchkey/provider/hostile";
import { exportJWK, exportPKCS8, generateKeyPair } from "jose";

import {
  type Auth,
  createAuth,
  type LogEvent,
  type Options,
  type Problem,
} from "../../../src/index.ts";
import { createBuiltInPages } from "../../../src/routes/built-in-pages.ts";
import { memoryStore } from "../../../src/stores/memory.ts";
import { defaultLook } from "../../built-in-gallery.ts";
import { atEnd } from "../../at-end.ts";
import { type Browser, createBrowser } from "../../browser/browser.ts";
import { listenerOf, startServer } from "../../servers/server.ts";
import { type Canaries, createCanaries } from "./canaries.ts";

/** How the app is set up and how the provider behaves, for one test. */
export interface SetUp {
  readonly conduct?: Conduct;
  readonly options?: Partial<Options>;
  /** The app's response to requests passed on by sign-in. */
  readonly page?: (request: Request, auth: Auth) => Promise<Response> | Response;
}

/** An app with sign-in, its provider, and what can be seen of them from outside. */
export interface World {
  readonly baseURL: string;
  readonly provider: HostileProvider;
  /** All log events since the start, for all set-ups. */
  readonly events: readonly LogEvent[];
  readonly canaries: Canaries;
  browser(): Browser;
}

/** A real app with sign-in on loopback and a misbehaving provider. It ends by itself. */
export interface HostileWorld extends World {
  /** All problems shown to the user. */
  readonly problems: readonly Problem[];
  /** Private key for `private_key_jwt`, PKCS #8. */
  readonly clientKey: string;
  /** The initial options of `setUp`. */
  readonly defaults: Options;
  /** The app as `setUp` has made it last. */
  readonly auth: Auth;
  /** A new app at the same address: nothing is cached, the store goes on. */
  setUp(setUp?: SetUp): Auth;
  /** Serves this app instead of the one made by `setUp`. */
  serve(auth: Auth, page?: SetUp["page"]): void;
  /** Moves the clock on, for the app and the provider. */
  advance(seconds: number): void;
}

const appSecret = "a-secret-of-the-conformance-tests-0123456789";

export async function startHostileWorld(settings: HostileSettings = {}): Promise<HostileWorld> {
  const server = await startServer();
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const clientKey = await exportPKCS8(privateKey);
  const jwks = { keys: [await exportJWK(publicKey)] };
  const clock = createClock();
  const provider = await startHostileProvider({
    ...settings,
    now: clock.now,
    client: { jwks, ...settings.client },
  });
  const { events, problems, canaries, defaults } = makeDefaults(server.origin, provider, clock.now);
  let auth = createAuth(defaults);
  atEnd(async () => {
    await server.close();
    await provider.close();
  });
  return {
    baseURL: server.origin,
    provider,
    events,
    problems,
    canaries,
    clientKey,
    defaults,
    get auth() {
      return auth;
    },
    setUp({ conduct = "well", options = {}, page = echo } = {}) {
      provider.behave(conduct);
      auth = createAuth({ ...defaults, ...options });
      const current = auth;
      const respond = (request: Request) =>
        current.respond(request, (passed) => page(passed, current));
      server.serve(listenerOf(respond));
      return auth;
    },
    serve(other, page = echo) {
      auth = other;
      const respond = (request: Request) => other.respond(request, (passed) => page(passed, other));
      server.serve(listenerOf(respond));
    },
    advance: (seconds) => clock.advance(seconds),
    browser: () => createBrowser(server.origin),
  };
}

/** One clock for the app and the provider. */
function createClock() {
  let offsetMs = 0;
  return {
    now: () => Date.now() + offsetMs,
    advance(seconds: number) {
      offsetMs += seconds * 1000;
    },
  };
}

function makeDefaults(baseURL: string, provider: HostileProvider, now: () => number) {
  const events: LogEvent[] = [];
  const problems: Problem[] = [];
  const canaries = createCanaries();
  canaries.add("client secret", provider.client.secret);
  canaries.add("client secret", encodeURIComponent(provider.client.secret));
  canaries.add("secret", appSecret);
  const defaults: Options = {
    baseURL,
    issuerBaseURL: provider.issuer,
    clientID: provider.client.id,
    clientSecret: provider.client.secret,
    secret: appSecret,
    backchannelLogout: true,
    userinfo: "always",
    store: memoryStore(now),
    clock: now,
    log: (event) => events.push(event),
    fetch: recording(canaries),
    renderProblem(problem) {
      problems.push(problem);
      return createBuiltInPages(defaultLook).problem(problem);
    },
  };
  return { events, problems, canaries, defaults };
}

function echo(request: Request): Response {
  return new Response(`page ${new URL(request.url).pathname}`);
}

/** The app's response for requests handled by sign-in itself. */
export function notFound(): Response {
  return new Response("no such page", { status: 404 });
}

/** Wraps fetch and records the tokens in responses. */
function recording(canaries: Canaries): NonNullable<Options["fetch"]> {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (init.method === "POST" && response.ok) {
      // Runs beside the app's own reading. An endless response holds no secret.
      response
        .clone()
        .json()
        .then((body: unknown) => noteTokens(canaries, body))
        .catch(() => undefined);
    }
    return response;
  };
}

function noteTokens(canaries: Canaries, body: unknown): void {
  for (const [name, value] of Object.entries(body ?? {})) {
    if (name.endsWith("_token") && typeof value === "string") canaries.add(name, value);
  }
}
