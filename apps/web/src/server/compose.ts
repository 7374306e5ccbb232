import {
  type Auth,
  ConfigError,
  type ConfigFault,
  createAuth,
  type HeaderList,
  type Options,
  optionsFromEnvironment,
  type Store,
} from "latchkey";
import { openStore } from "latchkey/node";
import type { Hono } from "hono";
import type { Logger } from "pino";

import { createVocabulary } from "../messages/compiled-words.ts";
import { createHandler, dataRoutes, type Handler } from "./app.ts";
import { type AppSettings, readAppSettings } from "./app-settings.ts";
import type { BuiltFiles } from "./built-files.ts";
import { cookieOverflow, type OverflowAnswer } from "./cookie-overflow.ts";
import { createLogger, logTo } from "./log.ts";
import { watchProvider } from "./provider-health.ts";
import { createDirectAnswers, type DirectAnswers } from "./direct-answers.ts";
import { type Press, renderPlainPage } from "./render.tsx";
import { securityHeaders } from "./security-headers.ts";
import { pathsOf, siteOf } from "./site.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The app, ready to listen. */
export interface Composition {
  readonly settings: AppSettings;
  readonly handler: Handler;
  readonly direct: DirectAnswers;
  readonly headers: HeaderList;
  readonly logger: Logger;
  readonly overflow: () => OverflowAnswer;
  readonly close: () => Promise<void>;
}

/**
 * Puts the app together: settings, store, engine, pages.
 *
 * @param built what the build made for browsers
 * @param defaultStore where the environment names no store
 * @throws {ConfigError} with every fault of every setting
 */
export async function compose(
  environment: Environment,
  built: BuiltFiles,
  defaultStore: string,
): Promise<Composition> {
  const { settings, faults } = readAppSettings(environment);
  const { options, storeURL = defaultStore } = optionsFromEnvironment(environment);
  const logger = createLogger(settings.logLevel);
  const health = watchProvider(nowSeconds);
  const store = await openStore(storeURL).catch((error: unknown) => storeFault(storeURL, error));
  const auth = authOrFaults({
    ...options,
    baseURL: settings.baseURL,
    store: isStore(store) ? store : await openStore("memory:"),
    log: logTo(logger, health.listen),
    renderProblem: (problem, { headers }) =>
      renderPlainPage(
        { screen: "problem", problem, facts: {} },
        headers.get("accept-language"),
        press,
      ),
  });
  if (!isAuth(auth) || !isStore(store) || faults.length > 0) {
    throw new ConfigError([
      ...faults,
      ...(isStore(store) ? [] : [store]),
      ...(isAuth(auth) ? [] : auth),
    ]);
  }
  const press: Press = {
    site: siteOf(settings, auth.config),
    vocabulary: createVocabulary(),
    parts: built.parts,
    paths: pathsOf(auth.config),
    now: nowSeconds,
  };
  const gallery = settings.production ? undefined : await import("../gallery/gallery-app.ts");
  const addMore = (app: Hono) =>
    gallery?.addGallery(app, `${auth.config.pagesPrefix}/gallery`, press, built.galleryScript);
  const parts = { auth, addMore, press, files: built.files, logger, isProviderDown: health.isDown };
  const headers = headersFor(settings, built, auth.config.issuerBaseURL);
  return {
    settings,
    handler: createHandler(parts),
    direct: createDirectAnswers({ auth, data: dataRoutes, headers }),
    headers,
    logger,
    overflow: cookieOverflow(auth.config, press, logger),
    close: async () => store.close(),
  };
}

/** The headers of every answer, for these settings and this build. */
export function headersFor(
  { baseURL, pictureSources }: AppSettings,
  { parts }: BuiltFiles,
  issuerURL?: string,
): HeaderList {
  return securityHeaders({
    baseURL,
    issuerURL,
    pictureSources,
    inlineStyles: [parts.pageStyle, parts.liveStyle, parts.galleryStyle],
    inlineScripts: [parts.inlineScript],
  });
}

function authOrFaults(options: Options): Auth | readonly ConfigFault[] {
  try {
    return createAuth(options);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

function storeFault(seen: string, error: unknown): ConfigFault {
  return {
    option: "store",
    variable: "LATCHKEY_STORE",
    message: error instanceof Error ? error.message : "cannot be opened",
    ...(seen.startsWith("redis") ? {} : { seen }),
    remedy: "Change LATCHKEY_STORE, or see that the app may write there.",
  };
}

function isStore(found: Store | ConfigFault): found is Store {
  return "close" in found;
}

function isAuth(found: Auth | readonly ConfigFault[]): found is Auth {
  return "handle" in found;
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
