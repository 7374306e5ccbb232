import { type ProviderSettings, type RunningProvider, startProvider } from "@latchkey/provider";

import { type Auth, createAuth, type LogEvent, type Options, type Problem } from "../src/index.ts";
import { type MemoryStore, memoryStore } from "../src/stores/memory.ts";
import { type Answer, type Browser, createBrowser } from "./browser.ts";
import { startLoopbackApp } from "./loopback-app.ts";
import { atEnd } from "./at-end.ts";

/** An app with sign-in on loopback, the local provider beside it, and what both have logged. It ends by itself. */
export interface World {
  readonly auth: Auth;
  readonly baseURL: string;
  readonly provider: RunningProvider;
  /** The store of the app, unless the options bring another. */
  readonly store: MemoryStore;
  readonly events: readonly LogEvent[];
  /** Moves the app's clock on, or back. */
  advance(seconds: number): void;
  browser(): Browser;
}

export interface WorldSettings {
  readonly options?: Partial<Options>;
  readonly provider?: ProviderSettings;
  /** Path of the base URL, e.g. `/shop`. */
  readonly basePath?: string;
  /** What the app answers where sign-in lets a request through. */
  readonly app?: (request: Request, auth: Auth) => Promise<Response> | Response;
}

export const secret = "a-secret-of-the-test-suite-0123456789abcdef";

export async function startWorld(settings: WorldSettings = {}): Promise<World> {
  const app = await startLoopbackApp();
  const baseURL = app.baseURL + (settings.basePath ?? "");
  const started = await startProvider({ ...settings.provider, port: 0, appURL: baseURL });
  let stopping: Promise<void> | null = null;
  const provider = { ...started, close: () => (stopping ??= started.close()) };
  const events: LogEvent[] = [];
  let offsetMs = 0;
  const clock = () => Date.now() + offsetMs;
  const [client] = provider.clients;
  const store = memoryStore(clock);
  const auth = createAuth({
    baseURL,
    issuerBaseURL: provider.issuer,
    clientID: client?.id ?? "",
    clientSecret: client?.secret ?? "",
    secret,
    backchannelLogout: true,
    store,
    clock,
    log: (event) => events.push(event),
    renderProblem: (problem) => JSON.stringify(problem),
    ...settings.options,
  });
  const answer = settings.app ?? echo;
  app.answerWith((request) => auth.respond(request, (passed) => answer(passed, auth)));
  atEnd(async () => {
    await app.close();
    await provider.close();
  });
  return {
    auth,
    baseURL,
    provider,
    store,
    events,
    advance(seconds) {
      offsetMs += seconds * 1000;
    },
    browser: () => createBrowser(baseURL),
  };
}

function echo(request: Request): Response {
  return new Response(`page ${new URL(request.url).pathname}`);
}

/** What the app's page for a problem was made from: in these tests the page is just that. */
export function problemIn({ text }: Answer): Problem {
  return JSON.parse(text) as Problem;
}
