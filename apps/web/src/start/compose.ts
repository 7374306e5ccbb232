import { type Auth, ConfigError, type ConfigFault, type HeaderList } from "latchkey";
import { authFromEnvironment, type GivenOptions } from "latchkey/node";
import type { Hono } from "hono";
import type { Logger } from "pino";

import { createVocabulary } from "../messages/compiled-words.ts";
import { createHandler, dataRoutes, type Handler } from "./routes.ts";
import { type AppSettings, readAppSettings } from "./settings.ts";
import type { BuiltFiles } from "../serving/built-files.ts";
import { oversizedRequest } from "../pages/oversized-request.ts";
import { createLogger, logTo } from "./log.ts";
import { watchProvider } from "./provider-health.ts";
import { createDirectAnswers, type DirectAnswers } from "../serving/direct-answers.ts";
import type { RenderContext } from "../rendering/render-context.ts";
import { renderPage } from "../rendering/render.tsx";
import { withoutUserInfo } from "../pages/setup/without-user-info.ts";
import { problemPage } from "../pages/problem/problem-screen.tsx";
import { securityHeaders } from "../serving/security-headers.ts";
import { pathsOf, siteOf } from "./site.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The app, ready to listen. */
export interface Composition {
  readonly settings: AppSettings;
  readonly handler: Handler;
  readonly direct: DirectAnswers;
  readonly headers: HeaderList;
  readonly logger: Logger;
  readonly oversized: ReturnType<typeof oversizedRequest>;
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
  const logger = createLogger(settings.logLevel);
  const health = watchProvider(nowSeconds);
  const auth = await authOrFaults(environment, faults, {
    store: settings.store ?? defaultStore,
    options: {
      baseURL: settings.baseURL,
      log: logTo(logger, health.listen),
      renderProblem: (problem, { headers }) =>
        renderPage(problemPage(problem), headers.get("accept-language"), rendering),
    },
  });
  const rendering: RenderContext = {
    site: siteOf(settings, auth.config),
    vocabulary: createVocabulary(),
    assets: built.assets,
    paths: pathsOf(auth.config),
    now: nowSeconds,
  };
  const gallery = settings.production ? undefined : await import("../gallery/gallery-app.ts");
  const addMore = (app: Hono) =>
    gallery?.addGallery(app, `${auth.config.pagesPrefix}/gallery`, rendering, built.galleryScript);
  const options = {
    auth,
    addMore,
    rendering,
    files: built.files,
    logger,
    isProviderDown: health.isDown,
  };
  const headers = headersFor(settings, built, auth.config.issuerBaseURL);
  return {
    settings,
    handler: createHandler(options),
    direct: createDirectAnswers({ auth, data: dataRoutes, headers }),
    headers,
    logger,
    oversized: oversizedRequest(options),
    close: () => auth.close(),
  };
}

/** The headers of every response, for these settings and this build. */
export function headersFor(
  { baseURL, pictureSources }: AppSettings,
  { assets }: BuiltFiles,
  issuerURL?: string,
): HeaderList {
  return securityHeaders({
    baseURL,
    issuerURL,
    pictureSources,
    inlineStyles: [assets.publicStyle, assets.signedInStyle, assets.galleryStyle],
    inlineScripts: [assets.inlineScript],
  });
}

/** The faults of the app's own settings are told together with those of sign-in. */
async function authOrFaults(
  environment: Environment,
  faults: readonly ConfigFault[],
  { store, options }: { readonly store: string; readonly options: GivenOptions },
): Promise<EnvironmentAuth> {
  try {
    const auth = await authFromEnvironment({ ...environment, LATCHKEY_STORE: store }, options);
    if (faults.length === 0) return auth;
    await auth.close();
  } catch (error) {
    if (error instanceof ConfigError) throw shownError([...faults, ...error.faults]);
    throw error;
  }
  throw shownError(faults);
}

/** Faults are read in terminals, logs and on the first-run page. */
function shownError(faults: readonly ConfigFault[]): ConfigError {
  return new ConfigError(
    faults.map(({ seen, ...fault }) =>
      seen === undefined ? fault : { ...fault, seen: withoutUserInfo(seen) },
    ),
  );
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
