import assets from "#assets";
import type { Config } from "latchkey";

import type { Site } from "../components/page-frame.tsx";
import { onlyEnglish } from "../messages/catalogue.ts";
import { createVocabulary } from "../messages/vocabulary.ts";
import { providerName } from "../messages/provider-name.ts";
import { readableAccent, withBrand } from "../rendering/brand.ts";
import { enginePaths } from "../rendering/engine-paths.ts";
import { createLiveWords } from "../rendering/live-words.ts";
import type { RenderContext } from "../rendering/render-context.ts";
import { chosenAccents, type PagesSettings } from "./settings.ts";

/** What pages need of the settings of the engine. */
export interface EngineFacts extends Pick<
  Config,
  "appName" | "baseURL" | "basePath" | "color" | "issuerBaseURL" | "pagesPrefix" | "production"
> {
  readonly routes: Pick<Config["routes"], "login" | "logout" | "me">;
  readonly streams: number;
}

interface Runtime {
  warn(message: string): void;
  now(): number;
}

/** How the pages of an app are rendered. */
export function createRendering(
  settings: PagesSettings,
  config: EngineFacts,
  { now, warn }: Runtime,
): RenderContext {
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
  return {
    site,
    vocabulary,
    liveWords: createLiveWords(vocabulary, languages.keys()),
    assets: withBrand(assets, { colors, radius }),
    paths: enginePaths(config),
    isLive: config.streams > 0,
    now,
  };
}

function siteOf(settings: PagesSettings, config: EngineFacts): Site {
  const { baseURL, basePath, pagesPrefix, routes, production } = config;
  const { host, origin } = new URL(baseURL);
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
