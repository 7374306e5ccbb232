import { type ProviderSettings, type RunningProvider, startProvider } from "@latchkey/provider";

import { type Auth, createAuth, type LogEvent, type Options } from "../src/index.ts";
import { withHeaders } from "../src/http/headers.ts";
import { memoryStore } from "../src/stores/memory.ts";
import { type Browser, createBrowser } from "./browser.ts";
import { startLoopbackApp } from "./loopback-app.ts";

/** An app with sign-in on loopback, the local provider beside it, and what both have logged. */
export interface World {
  readonly auth: Auth;
  readonly baseURL: string;
  readonly provider: RunningProvider;
  readonly events: readonly LogEvent[];
  /** Moves the app's clock on. */
  advance(seconds: number): void;
  browser(): Browser;
  close(): Promise<void>;
}

export interface WorldSettings {
  readonly options?: Partial<Options>;
  readonly provider?: ProviderSettings;
  /** What the app answers where sign-in lets a request through. */
  readonly app?: (request: Request, auth: Auth) => Promise<Response> | Response;
}

export const secret = "a-secret-of-the-test-suite-0123456789abcdef";

export async function startWorld(settings: WorldSettings = {}): Promise<World> {
  const app = await startLoopbackApp();
  const provider = await startProvider({ ...settings.provider, port: 0, appURL: app.baseURL });
  const events: LogEvent[] = [];
  let offsetMs = 0;
  const clock = () => Date.now() + offsetMs;
  const [client] = provider.clients;
  const auth = createAuth({
    baseURL: app.baseURL,
    issuerBaseURL: provider.issuer,
    clientID: client?.id ?? "",
    clientSecret: client?.secret ?? "",
    secret,
    backchannelLogout: true,
    store: memoryStore(clock),
    clock,
    log: (event) => events.push(event),
    ...settings.options,
  });
  const answer = settings.app ?? echo;
  app.answerWith(async (request) => {
    const own = await auth.handle(request);
    if (own !== undefined) return own;
    const guarded = await auth.guard(request);
    if (!guarded.passed) return guarded.response;
    const response = await answer(request, auth);
    return auth.hasVisited(request)
      ? withHeaders(response, (await auth.visit(request)).headers)
      : response;
  });
  return {
    auth,
    baseURL: app.baseURL,
    provider,
    events,
    advance(seconds) {
      offsetMs += seconds * 1000;
    },
    browser: () => createBrowser(app.baseURL),
    async close() {
      await app.close();
      await provider.close();
    },
  };
}

function echo(request: Request): Response {
  return new Response(`page ${new URL(request.url).pathname}`);
}
