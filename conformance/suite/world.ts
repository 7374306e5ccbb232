import { type ProviderSettings, type RunningProvider, startProvider } from "@latchkey/provider";
import { once } from "node:events";
import { createServer } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, inject, onTestFinished } from "vitest";

import { type Browser, createBrowser } from "../../packages/latchkey/test/browser.ts";
import {
  sendRequest,
  type WireRequest,
  type WireResponse,
} from "../../packages/latchkey/test/hosts/world/wire.ts";
import { type AppProcess, startApp } from "./app-process.ts";
import type { HostDescription } from "./host.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

declare module "vitest" {
  interface ProvidedContext {
    host: HostDescription & { readonly name: string };
  }
}

/** The host that this run is about. */
export const host = inject("host");
export const hostFolder = path.join(import.meta.dirname, "..", host.name);

/** Paths of the fixture that need no sign-in, beside the auth routes. */
const publicPaths = "/ /cacheable /require /require-rule /public/ /assets/";

/** These paths and those that the host needs, as a setting. */
export function publicVariable(paths: string): { readonly LATCHKEY_PUBLIC_PATHS: string } {
  return { LATCHKEY_PUBLIC_PATHS: `${paths} ${host.publicPaths ?? ""}` };
}

/** The application on the host, the local provider beside it, and another server that the application asks. */
export interface World {
  readonly baseURL: string;
  readonly provider: RunningProvider;
  readonly upstream: Upstream;
  readonly app: AppProcess;
  /** The settings of the application, as variables. */
  readonly environment: Readonly<Record<string, string>>;
  browser(): Browser;
  /** A new browser, in which this person has signed in. */
  signedIn(person?: string): Promise<Browser>;
  /** One request over a socket of its own, byte for byte. */
  send(request: WireRequest): Promise<WireResponse>;
  close(): Promise<void>;
}

export interface WorldSettings {
  /** Variables of the application that differ from the usual ones. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly provider?: ProviderSettings;
}

async function startWorld(settings: WorldSettings = {}): Promise<World> {
  const port = await freePort();
  const baseURL = `http://localhost:${port}`;
  const provider = await startProvider({ ...settings.provider, appURL: baseURL });
  const upstream = await startUpstream();
  const environment = { ...settingsOf(baseURL, provider), ...settings.environment };
  const app = await startApp(hostFolder, port, { UPSTREAM: upstream.origin, ...environment });
  const browser = () => createBrowser(baseURL);
  return {
    baseURL,
    provider,
    upstream,
    app,
    environment,
    browser,
    async signedIn(person = "person-ada") {
      const opened = browser();
      const { status, text } = await opened.signIn("/api/auth/login?returnTo=/private", person);
      if (status !== 200) throw new Error(`The sign-in of ${person} ended with ${status}: ${text}`);
      return opened;
    },
    send: (request) => sendRequest(baseURL, request),
    async close() {
      await app.stop();
      await Promise.all([upstream.close(), provider.close()]);
    },
  };
}

function settingsOf(baseURL: string, provider: RunningProvider): Record<string, string> {
  const [client] = provider.clients;
  return {
    LATCHKEY_BASE_URL: baseURL,
    LATCHKEY_ISSUER_BASE_URL: provider.issuer,
    LATCHKEY_CLIENT_ID: client?.id ?? "",
    LATCHKEY_CLIENT_SECRET: client?.secret ?? "",
    LATCHKEY_SECRET: "a-secret-of-the-conformance-suite-0123456789",
    LATCHKEY_STORE: "memory:",
    LATCHKEY_BACKCHANNEL_LOGOUT: "true",
    ...publicVariable(publicPaths),
  };
}

/** A world that ends with its test. */
export async function worldOfTest(settings: WorldSettings = {}): Promise<World> {
  const world = await startWorld(settings);
  onTestFinished(() => world.close());
  return world;
}

/** One world for all tests of a file or a `describe`. */
export function sharedWorld(settings: WorldSettings = {}): () => World {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(settings);
  });
  afterAll(() => world?.close());
  return () => world;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "localhost");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
