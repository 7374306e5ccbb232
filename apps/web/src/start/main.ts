import type { Server } from "node:http";
import { fileURLToPath } from "node:url";

import { ConfigError } from "latchkey";

import { readBuiltFiles } from "../serving/built-files.ts";
import { compose, type Environment, headersFor } from "./compose.ts";
import { readAppSettings } from "./settings.ts";
import { createHTTPServer, listen } from "../serving/http-server.ts";
import { createSetupHandler } from "./setup-app.ts";
import { closeGracefully, onShutdown } from "../serving/shutdown.ts";

/** This file runs as `dist/server/main.js`. */
const dist = new URL("../", import.meta.url);
const defaultStore = `sqlite:${fileURLToPath(new URL("../.data/latchkey.db", dist))}`;

try {
  await start(process.env);
} catch (error) {
  console.error(error instanceof Error ? sentenceOf(error) : error);
  process.exit(1);
}

async function start(environment: Environment): Promise<void> {
  const { settings, close, ...parts } = await composeOrExplain(environment);
  const server = createHTTPServer(parts);
  const port = await listen(server, settings.port, settings.host);
  onShutdown(() => void end(server, close));
  const url = settings.port === 0 ? `http://localhost:${port}` : settings.baseURL;
  if (process.send === undefined) console.log(`${settings.names.app} is ready: open ${url}`);
  else process.send({ ready: true, url });
}

async function end(server: Server, close: () => Promise<void>): Promise<void> {
  await closeGracefully(server);
  await close();
  process.exit(0);
}

/** In development, settings that cannot be used lead to a page that explains them. */
async function composeOrExplain(environment: Environment) {
  const built = readBuiltFiles(dist);
  try {
    const { logger, ...app } = await compose(environment, built, defaultStore);
    return { ...app, onError: (error: unknown) => logger.error({ event: "server", err: error }) };
  } catch (error) {
    const { settings } = readAppSettings(environment);
    if (!(error instanceof ConfigError) || settings.production) throw error;
    console.error(`${error.message}\nUntil then the app shows what is missing.`);
    return {
      settings,
      handler: createSetupHandler(environment, error.faults, built),
      headers: headersFor(settings, built),
      close: async () => {},
      onError: console.error,
    };
  }
}

function sentenceOf(error: Error): string {
  return error instanceof ConfigError ? `The app cannot start. ${error.message}` : error.message;
}
