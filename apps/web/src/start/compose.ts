import type { GalleryOptions } from "../../../../packages/pages/src/gallery/gallery-app.ts";
import {
  brandSheet,
  createLiveWords,
  createVocabulary,
  enginePaths,
  factsOf,
  languages,
  keptFormPage,
  type Names,
  type Page,
  type PageApp,
  problemPage,
  type RenderContext,
  inlineScripts,
  renderPage,
  styleSheets,
  signedOutPage,
  stepUpPath,
} from "../../../../packages/pages/src/web-application.ts";
import {
  type Auth,
  type AuthRequest,
  ConfigError,
  type ConfigFault,
  type Environment,
  type HeaderList,
  type Pages,
  type RequestAuth,
  type Session,
  type Telemetry,
  optionsFromEnvironment,
} from "latchkey";
import { authFromEnvironment } from "latchkey/node";

import { oversizedRequest } from "./oversized-request.ts";
import type { BuiltFiles } from "../serving/built-files.ts";
import type { FetchHandler, ServerOptions } from "../serving/http-server.ts";
import { gzipDocument } from "../serving/gzip-document.ts";
import { securityHeaders } from "../serving/security-headers.ts";
import {
  callersForCheck,
  composeCheck,
  isAboutOtherHost,
  sessionsForCheck,
} from "./compose-check.ts";
import { logTo, type Logger } from "./log.ts";
import { watchProvider } from "./operators/provider-health.ts";
import { createRoutes, publicPaths } from "./routes.ts";
import {
  type AppSettings,
  appVariables,
  providerVariables,
  readAppSettings,
} from "./settings/settings.ts";
import { siteOf } from "./site.ts";

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
 * @param built results of the build for browsers
 * @param defaultStore if the environment names no store
 * @throws {ConfigError} with every fault of every setting
 */
export async function compose(
  environment: Environment,
  built: BuiltFiles,
  defaultStore: string,
  { logger, telemetry }: Observers,
): Promise<Composition> {
  const { settings, faults } = readAppSettings(environment);
  const health = watchProvider(() => performance.now() / 1000);
  const auth = authFromEnvironment(
    {
      LATCHKEY_STREAMS: defaultStreams,
      LATCHKEY_ACTIVITY: "true",
      ...sessionsForCheck(settings),
      ...environment,
      LATCHKEY_STORE: settings.store ?? defaultStore,
    },
    {
      baseURL: settings.baseURL,
      returnToOrigins: returnToOriginsOf(settings, environment),
      api: callersForCheck(settings),
      publicPaths: [...publicPaths(built.files), ...publicPathsFrom(environment)],
      knownVariables: [...appVariables, ...providerVariables],
      telemetry,
      log: logTo(logger, health.listen),
      pages: {
        name: "pages",
        faults: [],
        open: () => ({ pages: pagesFor(() => rendering, brandSheet(settings.brand, "auto")) }),
      },
    },
  );
  await readyOrFaults(auth, faults);
  const headers = await headersFor(settings, built, auth.config.issuerBaseURL);
  const { config } = auth;
  const names = { ...settings.names, host: new URL(config.baseURL).host };
  const rendering = renderingFor(settings, auth, built, names);
  const deps = { config, rendering, logger, isProviderDown: health.isDown };
  const addMore = await galleryFor(settings, {
    context: rendering,
    names,
    brand: settings.brand,
    prefix: `${config.pagesPrefix}/gallery`,
    files: built.gallery,
  });
  const routes = createRoutes({ ...deps, auth, addMore, files: built.files });
  return {
    settings,
    auth,
    fetch: routes.fetch,
    headers,
    check: await composeCheck(settings, { auth, headers, logger }),
    oversized: oversizedRequest(deps),
    close: () => auth.close(),
  };
}

function renderingFor(
  settings: AppSettings,
  { config, now }: Pick<Auth, "config" | "now">,
  { assets }: BuiltFiles,
  names: Names,
): RenderContext {
  const vocabulary = createVocabulary(names, languages);
  return {
    site: siteOf(settings, config),
    vocabulary,
    liveWords: createLiveWords(vocabulary, languages.keys()),
    assets,
    paths: enginePaths(config),
    isLive: config.streams > 0,
    compress: gzipDocument,
    now,
  };
}

/** The pages of sign-in. They are rendered by what is known after the start. */
function pagesFor(rendering: () => RenderContext, brand: string): Pages<RequestAuth, Session> {
  const render = (page: Page, { headers }: AuthRequest) =>
    renderPage(page, headers.get("accept-language"), rendering());
  return {
    problem(problem, request, session) {
      const facts = factsOf(problem, request, session);
      return isAboutOtherHost(request)
        ? renderPage(problemPage(problem, null, facts), ...forOtherHost(request, rendering()))
        : render(problemPage(problem, session, facts), request);
    },
    signedOut: (signedOut, request) => render(signedOutPage(signedOut), request),
    keptForm: (form, request) => render(keptFormPage(form), request),
    stepUp: stepUpPath,
    brand,
  };
}

/** For a page below the address of another application, whose own paths lead elsewhere. */
function forOtherHost(
  { headers }: AuthRequest,
  rendering: RenderContext,
): [language: string | null, context: RenderContext] {
  const { site } = rendering;
  const absolute = { ...rendering, site: { ...site, root: site.baseURL } };
  return [headers.get("accept-language"), absolute];
}

function returnToOriginsOf({ check }: AppSettings, environment: Environment): readonly string[] {
  const { returnToOrigins = [] } = optionsFromEnvironment(environment).options;
  return [...returnToOrigins, ...(check?.origins ?? [])];
}

/** The page that explains a rule must not be closed by it. */
function publicPathsFrom(environment: Environment): readonly string[] {
  const { publicPaths: open = [], pagesPrefix = "/_auth" } =
    optionsFromEnvironment(environment).options;
  return [...open, pagesPrefix + stepUpPath];
}

/** In production the gallery is not even loaded. */
async function galleryFor(
  { production }: AppSettings,
  options: GalleryOptions,
): Promise<(app: PageApp) => void> {
  if (production) return () => undefined;
  const { addGallery } = await import("../../../../packages/pages/src/gallery/gallery-app.ts");
  return (app) => addGallery(app, options);
}

/** The headers of every response, for these settings and this build. */
export function headersFor(
  { baseURL, pictureSources }: AppSettings,
  { assets }: BuiltFiles,
  issuerURL?: string,
): Promise<HeaderList> {
  return securityHeaders({
    baseURL,
    issuerURL,
    pictureSources,
    inlineStyles: styleSheets(assets.styleParts),
    inlineScripts: inlineScripts(assets),
  });
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
