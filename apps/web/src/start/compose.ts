import {
  type Auth,
  ConfigError,
  type ConfigFault,
  type Environment,
  type Telemetry,
  optionsFromEnvironment,
} from "latchkey";
import { authFromEnvironment } from "latchkey/node";

import type { StaticFiles } from "../serving/built-files.ts";
import type { FetchHandler, ServerOptions } from "../serving/http-server.ts";
import { securityHeaders } from "../serving/security-headers.ts";
import { callersForCheck, composeCheck, sessionsForCheck } from "./compose-check.ts";
import { logTo, type Logger } from "./log.ts";
import { oversizedRequest } from "./oversized-request.ts";
import { createOwnPages, pagesSettings } from "./own-pages.ts";
import { type App, createRoutes, publicPaths } from "./routes.ts";
import {
  type AppSettings,
  appVariables,
  providerVariables,
  readAppSettings,
} from "./settings/settings.ts";

/** The application, ready to listen. */
export interface Composition extends ServerOptions {
  readonly settings: AppSettings;
  /** `null` if the settings cannot be used. */
  readonly auth: Pick<Auth, "status" | "endStreams"> | null;
  /** Answers proxies in front of other applications; `null` if none is expected. */
  readonly check: FetchHandler | null;
  readonly close: () => Promise<void>;
}

/** Open pages which receive the end of their session as it comes. */
const defaultStreams = "1000";

/** The receivers of events. */
export interface Observers {
  readonly logger: Logger;
  readonly telemetry: readonly Telemetry[];
}

/**
 * Puts the application together: settings, store, sign-in, pages.
 *
 * @param files results of the build for browsers
 * @param defaultStore if the environment names no store
 * @throws {ConfigError} with every fault of every setting
 */
export async function compose(
  environment: Environment,
  files: StaticFiles,
  defaultStore: string,
  { logger, telemetry }: Observers,
): Promise<Composition> {
  const { settings, faults } = readAppSettings(environment);
  const pages = createOwnPages(settings.look);
  const given = optionsFromEnvironment(environment).options;
  const auth = authFromEnvironment(
    {
      LATCHKEY_STREAMS: defaultStreams,
      LATCHKEY_ACTIVITY: "true",
      ...sessionsForCheck(settings),
      ...environment,
      LATCHKEY_STORE: settings.store ?? defaultStore,
    },
    {
      baseURL: given.baseURL ?? settings.baseURL,
      returnToOrigins: [...(given.returnToOrigins ?? []), ...(settings.check?.origins ?? [])],
      api: callersForCheck(settings),
      publicPaths: [...publicPaths(files), ...(given.publicPaths ?? [])],
      knownVariables: [...appVariables, ...providerVariables],
      telemetry,
      log: logTo(logger),
      pages: pages.option,
    },
  );
  await readyOrFaults(auth, faults);
  const { config, now } = auth;
  const headers = await securityHeaders(settings.baseURL, config.issuerBaseURL);
  const log = (line: object) => logger.warn(line);
  return {
    settings,
    auth,
    fetch: createRoutes({ auth, files, addMore: await galleryFor(settings, auth) }).fetch,
    headers,
    check: await composeCheck(settings, { auth, headers, logger }),
    oversized: oversizedRequest({ pages, auth, now, log }),
    close: () => auth.close(),
  };
}

/** In production the gallery is not even loaded. */
async function galleryFor(
  { production, look }: AppSettings,
  { config }: Auth,
): Promise<(app: App) => void> {
  if (production) return () => undefined;
  const { addGalleryOf } = await import("../../../../packages/pages/src/gallery/gallery-app.ts");
  return (app) => addGalleryOf(pagesSettings(look), config, app);
}

/** The faults of the application's own settings are reported together with those of sign-in. */
async function readyOrFaults(auth: Auth, faults: readonly ConfigFault[]): Promise<void> {
  const all = [...faults, ...(await faultsOf(auth))];
  if (all.length === 0) return;
  await auth.close();
  throw new ConfigError(all);
}

async function faultsOf(auth: Auth): Promise<readonly ConfigFault[]> {
  try {
    await auth.ready();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
