import type { RunningCustomers } from "@latchkey/provider";
import { createAuth, optionsFromEnvironment } from "latchkey";
import { memoryStore } from "latchkey/memory";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { inject } from "vitest";

import { createBrowser } from "../../packages/latchkey/test/browser/browser.ts";
import { sendRequest } from "../../packages/latchkey/test/hosts/world/wire.ts";
import { freePort } from "../../packages/latchkey/test/servers/free-port.ts";
import { type AppProcess, startApp } from "./app-process.ts";
import { clientSettings } from "./client-settings.ts";
import type { HostDescription } from "./host.ts";
import * as rows from "./rows/world.ts";
import { startUpstream } from "./upstream.ts";

declare module "vitest" {
  interface ProvidedContext {
    host: HostDescription & { readonly name: string };
  }
}

/** The host of this run. */
export const host = inject("host");
export const hostFolder = path.join(import.meta.dirname, "..", host.name);

/**
 * The built application in its own process, the local provider, and another server for its
 * requests.
 */
export interface ProcessWorld extends rows.World {
  readonly app: AppProcess;
}

/** The folder of the built example, and the path below which it is served. */
interface Build {
  readonly folder: string;
  readonly basePath: "" | "/shop";
}

const wholeHost: Build = { folder: hostFolder, basePath: "" };

async function startWorld(
  settings: rows.WorldSettings = {},
  { folder, basePath }: Build = wholeHost,
): Promise<ProcessWorld> {
  const port = await freePort();
  const baseURL = `http://localhost:${port}${basePath}`;
  const provider = await rows.startProviders(settings, baseURL);
  const upstream = await startUpstream();
  const environment = { ...settingsOf(baseURL, provider), ...settings.environment };
  const app = await startApp(folder, port, { UPSTREAM: upstream.origin, ...environment });
  const { options } = optionsFromEnvironment({ NODE_ENV: "production", ...environment });
  const browser = () => createBrowser(baseURL);
  return {
    baseURL,
    provider,
    app,
    engine: createAuth({ ...options, store: memoryStore(), log: () => undefined }),
    browser,
    async signedIn(person = "person-ada") {
      const opened = browser();
      const login = `${baseURL}/api/auth/login?returnTo=${basePath}/private`;
      const { status, text } = await opened.signIn(login, person);
      if (status !== 200) throw new Error(`The sign-in of ${person} ended with ${status}: ${text}`);
      return opened;
    },
    send: (request) => sendRequest(baseURL, request),
    pass: (seconds) => pause(seconds * 1000),
    log: app.output,
    complaints: () => complaintsOf(app),
    async close() {
      await app.stop();
      await Promise.all([upstream.close(), provider.close()]);
    },
  };
}

function complaintsOf(app: AppProcess): readonly string[] {
  const lines = app
    .output()
    .split("\n")
    .filter((line) => /unhandled|uncaught|warning: /i.test(line));
  return app.isAlive() ? lines : [...lines, "The process has ended."];
}

/** The host for the rows of every host. */
export const drivenHost = { ...host, start: startWorld };

/** Starts a world, and closes it at the end of the test. */
export const worldOfTest = (settings?: rows.WorldSettings): Promise<ProcessWorld> =>
  rows.worldOfTest(drivenHost, settings);

/** The same, built in another folder, and served below a path. */
export const builtHost = (build: Build): typeof drivenHost => ({
  ...host,
  start: (settings) => startWorld(settings, build),
});

/** One world for all tests of a file or a `describe`. */
export const sharedWorld = (settings?: rows.WorldSettings): (() => ProcessWorld) =>
  rows.sharedWorld(drivenHost, settings);

function settingsOf(baseURL: string, provider: RunningCustomers): Record<string, string> {
  const ids = Object.keys(provider.customers);
  const logoutTokens = ids.map((id) => [
    `LATCHKEY_CONNECTION_${id.toUpperCase()}_BACKCHANNEL_LOGOUT`,
    "true",
  ]);
  return {
    ...(ids.length > 0 ? provider.variables : {}),
    ...Object.fromEntries(logoutTokens),
    ...clientSettings(baseURL, provider),
    LATCHKEY_STORE: "memory:",
    // Some hosts keep several copies of what is in memory.
    LATCHKEY_SESSION_STATEFUL: "false",
    LATCHKEY_BACKCHANNEL_LOGOUT: "true",
    ...rows.publicVariable(host),
  };
}
