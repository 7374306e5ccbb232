import assets from "#assets";
import type { AuthRequest, Config, PagesOption, PagesSite, RequestAuth, Session } from "latchkey";

import type { Site } from "../components/page-frame.tsx";
import { onlyEnglish } from "../messages/catalogue.ts";
import { createVocabulary } from "../messages/compiled-words.ts";
import { providerName } from "../messages/provider-name.ts";
import { keptFormPage } from "../pages/kept-form/kept-form-screen.tsx";
import { factsOf } from "../pages/problem/problem-facts.ts";
import { problemPage } from "../pages/problem/problem-screen.tsx";
import { signedOutPage } from "../pages/signed-out/signed-out-screen.tsx";
import { stepUpPath } from "../pages/step-up/step-up-route.ts";
import { readableAccent, withBrand } from "../rendering/brand.ts";
import { createLiveWords } from "../rendering/live-words.ts";
import type { Page } from "../rendering/page.ts";
import type { RenderContext } from "../rendering/render-context.ts";
import { renderPage } from "../rendering/render.tsx";
import { createPageRoutes } from "./routes.ts";
import { chosenAccents, type PagesSettings, pagesFaults } from "./settings.ts";
import { renderSetup } from "./setup.ts";

/**
 * The pages of an app below the prefix of pages, `/_auth` by default: account, devices, recent
 * activity, signed out, and every problem.
 *
 * @example
 *   createAuth({ pages: pages({ name: "Harbour", accent: "#7a1f5c" }) });
 */
export function pages(settings: PagesSettings = {}): PagesOption<RequestAuth, Session> {
  return {
    faults: pagesFaults(settings),
    create: (site) => createPages(settings, site),
    setup: (faults, baseURL, request) => renderSetup(settings, { faults, baseURL, request }),
  };
}

function createPages(
  settings: PagesSettings,
  site: PagesSite,
): ReturnType<PagesOption<RequestAuth, Session>["create"]> {
  const rendering = createRendering(settings, site);
  const render = (page: Page, { headers }: Pick<AuthRequest, "headers">) =>
    renderPage(page, headers.get("accept-language"), rendering);
  return {
    problem: (problem, request, session) =>
      render(problemPage(problem, session, factsOf(problem, request, session)), request),
    signedOut: (signedOut, request) => render(signedOutPage(signedOut), request),
    keptForm: (form, request) => render(keptFormPage(form), request),
    stepUp: stepUpPath,
    respond: createPageRoutes(site, rendering, assets.modules),
  };
}

function createRendering(settings: PagesSettings, { config, now, warn }: PagesSite): RenderContext {
  const { provider, languages = onlyEnglish, radius } = settings;
  const site = siteOf(settings, config);
  const chosen = chosenAccents(settings.accent ?? config.color.accent);
  const [light = "", dark = light] = chosen;
  const colors = readableAccent([light, dark]);
  const changed = chosen.filter((each, scheme) => each.toLowerCase() !== colors.accent[scheme]);
  if (site.development && changed.length > 0)
    warn(
      `The accent ${changed.join(" ")} is hard to read; the pages use ${colors.accent.join(" ")}.`,
    );
  const names = {
    app: site.app,
    provider: provider?.name ?? providerName(config.issuerBaseURL),
    host: site.host,
  };
  const vocabulary = createVocabulary(names, languages);
  const { basePath, routes, pagesPrefix } = config;
  return {
    site,
    vocabulary,
    liveWords: createLiveWords(vocabulary, languages.keys()),
    assets: withBrand(assets, { colors, radius }),
    paths: {
      login: basePath + routes.login,
      logout: basePath + routes.logout,
      me: basePath + routes.me,
      session: `${basePath}${pagesPrefix}/session.json`,
      events: `${basePath}${pagesPrefix}/session-events`,
      pages: basePath + pagesPrefix,
    },
    isLive: config.streams > 0,
    now,
  };
}

function siteOf(settings: PagesSettings, config: Config): Site {
  const { baseURL, basePath, pagesPrefix, routes, origin, production } = config;
  const { host } = new URL(baseURL);
  const below = (href: string) => (href.startsWith("/") ? basePath + href : href);
  return {
    app: settings.name ?? config.appName ?? host,
    logo: settings.logo === undefined ? undefined : below(settings.logo),
    support: settings.support,
    providerURL: settings.provider?.url,
    baseURL,
    host,
    root: basePath + pagesPrefix,
    homeURL: `${baseURL}/`,
    links: (settings.links ?? []).map(({ href, label }) => ({ href: below(href), label })),
    loginURL: baseURL + routes.login,
    logoutURL: baseURL + routes.logout,
    pictureSources: [origin, ...(settings.pictureSources ?? [])],
    development: !production,
  };
}
