import type { RequestListener } from "node:http";
import { onTestFinished } from "vitest";

import { type Auth, createAuth, type Options } from "../../src/host/auth.ts";
import type { LogEvent } from "../../src/telemetry/log-event.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { signedInCookies } from "../../src/testing/index.ts";
import { createQuickProvider, quickClient } from "../worlds/quick-provider.ts";
import { sendRequest, type WireRequest } from "../hosts/world/wire.ts";
import { startServer } from "../servers/server.ts";
import { goodSettings } from "../settings.ts";

/**
 * Serves an app until the test ends, and returns the cookie of a signed-in user: for tests of the
 * time after a sign-in. The provider has no socket.
 */
export async function servedApp(
  app: (auth: Auth) => RequestListener,
  changes: Partial<Options> = {},
) {
  const server = await startServer();
  onTestFinished(() => server.close());
  const provider = createQuickProvider(Date.now);
  const events: LogEvent[] = [];
  const options: Options = {
    ...goodSettings,
    ...quickClient,
    baseURL: server.origin,
    idTokenSigningAlg: "HS256",
    publicPaths: ["/", "/require", "/require-rule", "/cacheable", "/public/"],
    store: memoryStore(),
    fetch: provider.fetch,
    log: (event) => void events.push(event),
    ...changes,
  };
  const auth = createAuth(options);
  server.serve(app(auth));
  const session = { user: { sub: "person-ada", name: "Ada" } };
  return {
    auth,
    events,
    provider,
    origin: server.origin,
    cookie: await signedInCookies({ options: { ...options, log: () => undefined }, session }),
    send: (request: WireRequest) => sendRequest(server.origin, request),
  };
}
