import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { ConfigError, type Environment } from "latchkey";

import { lowContrasts, withBrand } from "../rendering/brand.ts";
import { type BuiltFiles, readBuiltFiles } from "../serving/built-files.ts";
import { fetchListener } from "../serving/fetch-listener.ts";
import { createHTTPServer, listen, type ServerOptions } from "../serving/http-server.ts";
import { onShutdown } from "../serving/shutdown.ts";
import { contrastWarning } from "./settings/brand-settings.ts";
import { compose, type Composition, headersFor, type Observers } from "./compose.ts";
import { createEnding } from "./ending.ts";
import { watchEventLoop } from "./operators/event-loop.ts";
import { createLogger, createOutput } from "./log.ts";
import { createOperationState } from "./operators/operation-state.ts";
import { createOperators } from "./operators/operators.ts";
import { automaticRequestTest, listenForOperators, respondStarting } from "./operators/probes.ts";
import { readAppSettings } from "./settings/settings.ts";
import { createSetupHandler } from "./setup-app.ts";

/** This file runs as `dist/server/main.js`. */
const dist = new URL("../", import.meta.url);
const defaultStore = `sqlite:${fileURLToPath(new URL("../.data/latchkey.db", dist))}`;
const tryAgainMs = 1000;

try {
  await start(process.env, readBuiltFiles(dist));
} catch (error) {
  console.error(error instanceof Error ? sentenceOf(error) : error);
  process.exit(1);
}

/** Settings, keys, store, then the port: a request that is let in can be answered. */
async function start(environment: Environment, files: BuiltFiles): Promise<void> {
  const { settings } = readAppSettings(environment);
  const built = { ...files, assets: withBrand(files.assets, settings.brand) };
  const { drain, startsWithoutStore } = settings.operation;
  const output = createOutput();
  const logger = createLogger(settings.logLevel, output);
  for (const each of lowContrasts(settings.brand))
    logger.warn({ event: "warning", message: contrastWarning(each) });
  const state = createOperationState();
  const { telemetry, listeners } = createOperators(environment, settings, state, {
    output,
    logger,
  });
  const observers = { logger, telemetry };
  const serving: ServerOptions = {
    listener: respondStarting,
    headers: headersFor(settings, built),
    respondToOperator: (...request) =>
      listeners.some(({ port, respond }) => port === undefined && respond(...request)),
  };
  const server = createHTTPServer(serving);
  const isAutomatic = automaticRequestTest(environment, settings.baseURL);
  const onBegin = state.draining;
  const ending = createEnding({ server, isAutomatic, times: drain, logger, output, onBegin });

  function serve(app: Composition): void {
    ending.closeAlso(app.close);
    if (app.auth !== null) state.started(app.auth);
    // The server looks at them with every request.
    Object.assign(serving, { ...app });
  }

  if (!startsWithoutStore) serve(await composeOrExplain(environment, built, observers));
  onShutdown(ending.end, (error) => logger.fatal({ event: "uncaught", error }));
  const port = await listen(server, settings.port, settings.host);
  // What comes before holds up nobody.
  watchEventLoop((durationMs) => {
    logger.warn({ event: "event-loop-blocked", durationMs });
    for (const { onMeasurement } of telemetry) onMeasurement?.({ of: "event-loop-blocked" });
  });
  ending.closeAlso(await listenForOperators(listeners, settings.host));
  if (startsWithoutStore) serve(await composeWhenPossible(environment, built, observers));
  const url = settings.port === 0 ? `http://localhost:${port}` : settings.baseURL;
  // Standard output is for lines of JSON.
  if (process.send === undefined) console.error(`${settings.names.app} is ready: open ${url}`);
  else process.send({ ready: true, url });
}

/** In development, settings that cannot be used lead to a page that explains them. */
async function composeOrExplain(
  environment: Environment,
  built: BuiltFiles,
  observers: Observers,
): Promise<Composition> {
  try {
    return await compose(environment, built, defaultStore, observers);
  } catch (error) {
    const { settings } = readAppSettings(environment);
    if (!(error instanceof ConfigError) || settings.production) throw error;
    console.error(`${error.message}\nUntil then the app shows what is missing.`);
    return {
      settings,
      auth: null,
      listener: fetchListener(createSetupHandler(environment, error.faults, built)),
      headers: headersFor(settings, built),
      close: async () => {},
    };
  }
}

/** Waits for the store; anything else that is wrong ends the start. */
async function composeWhenPossible(
  environment: Environment,
  built: BuiltFiles,
  observers: Observers,
): Promise<Composition> {
  for (let told = ""; ;) {
    try {
      return await compose(environment, built, defaultStore, observers);
    } catch (error) {
      if (!isOfStoreOnly(error)) throw error;
      if (error.message !== told)
        observers.logger.warn({ event: "starting", error: error.message });
      told = error.message;
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
