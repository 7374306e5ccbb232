import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { ConfigError, type Environment } from "latchkey";

import { findBuiltFiles, type StaticFiles } from "../serving/built-files.ts";
import {
  createHTTPServer,
  type FetchHandler,
  listen,
  type ServerOptions,
} from "../serving/http-server.ts";
import { onShutdown } from "../serving/shutdown.ts";
import { securityHeaders } from "../serving/security-headers.ts";
import { compose, type Composition, type Observers } from "./compose.ts";
import { createCheckServer } from "./check-server.ts";
import { createEnding } from "./ending.ts";
import { watchEventLoop } from "./operators/event-loop.ts";
import { createLogger, createOutput } from "./log.ts";
import { createOperationState } from "./operators/operation-state.ts";
import { createOperators } from "./operators/operators.ts";
import { listenForOperators } from "./operators/operator-apps.ts";
import { automaticRequestTest } from "./operators/probes.ts";
import { readAppSettings } from "./settings/settings.ts";
import { createSetupHandler } from "./setup-app.ts";

/** This file runs as `dist/server/main.js`. */
const dist = new URL("../", import.meta.url);
const defaultStore = `sqlite:${fileURLToPath(new URL("../.data/latchkey.db", dist))}`;
const tryAgainMs = 1000;

try {
  await start(process.env, findBuiltFiles(dist));
} catch (error) {
  console.error(error instanceof Error ? sentenceOf(error) : error);
  process.exit(1);
}

/** Opens settings, keys, store, then the port, so that an accepted request can be answered. */
async function start(environment: Environment, files: StaticFiles): Promise<void> {
  const { settings } = readAppSettings(environment);
  const { drain, startsWithoutStore } = settings.operation;
  const output = createOutput();
  const logger = createLogger(settings.logLevel, output);
  const state = createOperationState();
  const { telemetry, apps } = createOperators(environment, settings, state, { output, logger });
  const observers = { logger, telemetry };
  let current: FetchHandler = respondStarting;
  apps.own.all("*", ({ req, env }) => current(req.raw, env));
  const serving: ServerOptions = {
    fetch: apps.own.fetch,
    headers: await securityHeaders(settings.baseURL),
  };
  const server = createHTTPServer(serving);
  const isAutomatic = automaticRequestTest(environment, settings.baseURL);
  const onBegin = state.draining;
  const { pendingSignOuts } = state;
  const common = { server, logger, output, onBegin, pendingSignOuts };
  const check = createCheckServer(settings);
  const ending = createEnding({ ...common, isAutomatic, times: drain });

  function serve(app: Composition): void {
    ending.closeAlso(app.close);
    if (app.auth !== null) state.started(app.auth);
    current = app.fetch;
    check?.answerBy(app.check);
    // The server reads them with every request.
    Object.assign(serving, { headers: app.headers, oversized: app.oversized });
  }

  if (!startsWithoutStore) serve(await composeOrExplain(environment, files, observers));
  onShutdown(ending.end, (error) => logger.fatal({ event: "uncaught", error }));
  const port = await listen(server, settings.port, settings.host);
  // Does not delay the start.
  watchEventLoop((durationMs) => {
    logger.warn({ event: "event-loop-blocked", durationMs });
    for (const { onMeasurement } of telemetry) onMeasurement?.({ of: "event-loop-blocked" });
  });
  ending.closeAlso(await listenForOperators(apps, settings.host));
  if (check !== null) ending.closeAlso(await check.listen());
  if (startsWithoutStore) serve(await composeWhenPossible(environment, files, observers));
  const url = settings.port === 0 ? `http://localhost:${port}` : settings.baseURL;
  // Standard output is for lines of JSON.
  if (process.send === undefined) console.error(`${settings.look.name} is ready: open ${url}`);
  else process.send({ ready: true, url });
}

/** Until the store has answered, no session can be checked. */
function respondStarting(): Response {
  return new Response("The app is starting. Please try again in a moment.\n", {
    status: 503,
    headers: { "Cache-Control": "no-store", "Retry-After": "5" },
  });
}

/** In development, wrong settings lead to a page that explains them. */
async function composeOrExplain(
  environment: Environment,
  files: StaticFiles,
  observers: Observers,
): Promise<Composition> {
  try {
    return await compose(environment, files, defaultStore, observers);
  } catch (error) {
    const { settings } = readAppSettings(environment);
    if (!(error instanceof ConfigError) || settings.production) throw error;
    console.error(`${error.message}\nUntil then the app shows what is missing.`);
    return {
      settings,
      auth: null,
      check: null,
      fetch: createSetupHandler(environment, error.faults, files),
      headers: await securityHeaders(settings.baseURL),
      close: async () => {},
    };
  }
}

/** Waits for the store; any other fault ends the start. */
async function composeWhenPossible(
  environment: Environment,
  files: StaticFiles,
  observers: Observers,
): Promise<Composition> {
  for (let lastMessage = ""; ;) {
    try {
      return await compose(environment, files, defaultStore, observers);
    } catch (error) {
      if (!isOfStoreOnly(error)) throw error;
      if (error.message !== lastMessage)
        observers.logger.warn({ event: "starting", error: error.message });
      lastMessage = error.message;
      await sleep(tryAgainMs);
    }
  }
}

function isOfStoreOnly(error: unknown): error is ConfigError {
  return error instanceof ConfigError && error.faults.every(({ option }) => option === "store");
}

function sentenceOf(error: Error): string {
  return error instanceof ConfigError ? `The app cannot start. ${error.message}` : error.message;
}
