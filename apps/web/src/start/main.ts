import type { Server } from "node:http";
import { fileURLToPath } from "node:url";

import { ConfigError } from "latchkey";

import { readBuiltFiles } from "../serving/built-files.ts";
import { compose, type Composition, headersFor } from "./compose.ts";
import { type Environment, readAppSettings } from "./settings.ts";
import { fetchListener } from "../serving/fetch-listener.ts";
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
  const { settings, close, ...server } = await composeOrExplain(environment);
  const listening = createHTTPServer(server);
  const port = await listen(listening, settings.port, settings.host);
  onShutdown(() => void end(listening, close));
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
async function composeOrExplain(environment: Environment): Promise<Composition> {
  const built = readBuiltFiles(dist);
  try {
    return await compose(environment, built, defaultStore);
  } catch (error) {
    const { settings } = readAppSettings(environment);
    if (!(error instanceof ConfigError) || settings.production) throw error;
    console.error(`${error.message}\nUntil then the app shows what is missing.`);
    return {
      settings,
      listener: fetchListener(createSetupHandler(environment, error.faults, built)),
      headers: headersFor(settings, built),
      close: async () => {},
    };
  }
}

function sentenceOf(error: Error): string {
  return error instanceof ConfigError ? `The app cannot start. ${error.message}` : error.message;
}
