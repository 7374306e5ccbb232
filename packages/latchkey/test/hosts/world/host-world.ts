import type { ProviderSettings, RunningCustomers } from "@latchkey/provider";
import { type Auth, createAuth, type LogEvent, type Options } from "latchkey";
import { memoryStore } from "latchkey/memory";
import type { RequestListener, ServerOptions } from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, onTestFinished } from "vitest";

import { publicPaths } from "../../../../../conformance/suite/example.ts";
import { startProviders, type World } from "../../../../../conformance/suite/rows/world.ts";
import { startUpstream } from "../../../../../conformance/suite/upstream.ts";
import { createBrowser } from "../../browser/browser.ts";
import { type FailingStore, failingStore } from "../../failing-store.ts";
import type { Surroundings } from "../apps/surroundings.ts";
import { sitesOfTest } from "../../second-site.ts";
import { startServer } from "../../servers/server.ts";
import { sendRequest } from "./wire.ts";

/** An application on a host in this process, and the local provider beside it. */
export interface HostWorld extends World {
  readonly auth: Auth;
  readonly store: FailingStore;
  readonly events: readonly LogEvent[];
  readonly surroundings: Surroundings;
}

export interface HostWorldSettings {
  readonly app: (auth: Auth, surroundings: Surroundings) => RequestListener;
  readonly options?: Partial<Options>;
  readonly provider?: ProviderSettings;
  /** Customers with a provider of their own. */
  readonly customers?: readonly string[];
  readonly server?: ServerOptions;
  /** Path of the base URL. */
  readonly basePath?: string;
}

const files = fileURLToPath(new URL("../files", import.meta.url));

export async function startHostWorld(settings: HostWorldSettings): Promise<HostWorld> {
  const server = await startServer(settings.server);
  const upstream = await startUpstream();
  const { basePath = "" } = settings;
  const baseURL = server.origin + basePath;
  const provider = await startProviders(settings, baseURL);
  const events: LogEvent[] = [];
  let offsetMs = 0;
  const clock = () => Date.now() + offsetMs;
  const store = failingStore(memoryStore(clock));
  const surroundings = { upstream: upstream.origin, files };
  const [client] = provider.clients;
  const auth = createAuth({
    baseURL: sitesOfTest(baseURL),
    issuerBaseURL: provider.issuer,
    clientID: client?.id ?? "",
    clientSecret: client?.secret ?? "",
    secret: "a-secret-of-the-host-suite-0123456789abcdef",
    backchannelLogout: true,
    ...severalConnections(provider),
    publicPaths,
    session: { stateful: false },
    store,
    clock,
    log: (event) => events.push(event),
    ...settings.options,
  });
  server.serve(settings.app(auth, surroundings));
  const complaints = watchProcess();
  const browser = () => createBrowser(baseURL);
  return {
    auth,
    engine: auth,
    baseURL,
    provider,
    store,
    events,
    surroundings,
    pass: async (seconds) => void (offsetMs += seconds * 1000),
    log: () => events.map((event) => JSON.stringify(event)).join("\n"),
    complaints: () => complaints.texts,
    browser,
    async signedIn(person = "person-ada") {
      const opened = browser();
      const login = `${baseURL}/api/auth/login?returnTo=${basePath}/private`;
      const { status } = await opened.signIn(login, person);
      if (status !== 200) throw new Error(`The sign-in of ${person} ended with status ${status}.`);
      return opened;
    },
    send: (request) => sendRequest(server.origin, request),
    async close() {
      complaints.stop();
      await server.close();
      await Promise.all([upstream.close(), provider.close()]);
    },
  };
}

function severalConnections({ connections }: RunningCustomers): Partial<Options> {
  const all = Object.entries(connections).map(
    ([id, settings]) => [id, { ...settings, backchannelLogout: true }] as const,
  );
  return all.length > 0 ? { identity: "issuer+sub", connections: Object.fromEntries(all) } : {};
}

/** Starts a world, and closes it at the end of the test. */
export async function worldOfTest(settings: HostWorldSettings): Promise<HostWorld> {
  const world = await startHostWorld(settings);
  onTestFinished(() => world.close());
  return world;
}

/** One world for all tests of a `describe`. */
export function worldOfDescribe(settings: HostWorldSettings): () => HostWorld {
  let world: HostWorld;
  beforeAll(async () => {
    world = await startHostWorld(settings);
  });
  afterAll(() => world.close());
  return () => world;
}

/** What this process complains of. */
function watchProcess() {
  const texts: string[] = [];
  const note = (complaint: unknown) => void texts.push(String(complaint));
  const names = ["unhandledRejection", "uncaughtException", "warning"] as const;
  for (const name of names) process.on(name, note);
  return {
    texts,
    stop() {
      for (const name of names) process.off(name, note);
    },
  };
}
