import assets from "#assets";
import type { Config } from "latchkey";

import type { Site } from "../components/page-frame.tsx";
import { onlyEnglish } from "../messages/catalogue.ts";
import { createVocabulary } from "../messages/vocabulary.ts";
import { providerName } from "../messages/provider-name.ts";
import {
  type Brand,
  brandSheet,
  lowContrasts,
  readableBrand,
  withBrand,
} from "../rendering/brand.ts";
import { enginePaths } from "../rendering/engine-paths.ts";
import { createLiveWords } from "../rendering/live-words.ts";
import type { Choose, RenderContext } from "../rendering/render-context.ts";
import { accessURL } from "./access-url.ts";
import { chosenColors, chosenPair, type ColorSetting, type PagesSettings } from "./settings.ts";

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
): RenderContext & { readonly brand: string } {
  const { provider, languages = onlyEnglish, radius, font, scheme = "auto" } = settings;
  const site = siteOf(settings, config);
  const accent = settings.accent ?? config.color.accent;
  const brand: Brand = {
    ...readableBrand(chosenPair(accent), chosenColors(settings)),
    radius,
    font,
  };
  if (site.development) for (const sentence of colorWarnings(accent, brand)) warn(sentence);
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
    assets: withBrand(assets, brand),
    brand: brandSheet(brand, typeof scheme === "string" ? scheme : "auto"),
    choose: choiceOf(settings),
    paths: enginePaths(config),
    isLive: config.streams > 0,
    now,
  };
}

/** A part of a brand that cannot be read is better known before people see it. */
function colorWarnings(accent: ColorSetting, brand: Brand): readonly string[] {
  const { accent: ink = [] } = brand.colors;
  const chosen = typeof accent === "string" ? accent.split(/[ ,]+/) : accent;
  // The color for dark screens may not be the developer's.
  const changed = chosen.filter((each, scheme) => each.toLowerCase() !== ink[scheme]);
  const isLow = lowContrasts(brand).map(
    ({ text, ground, scheme, ratio }) =>
      `The color ${text} on ${ground} has a contrast of ${ratio.toFixed(1)} in the ${scheme} scheme; text needs 4.5.`,
  );
  if (changed.length === 0) return isLow;
  return [
    `The accent ${changed.join(" ")} is hard to read; the pages use ${ink.join(" ")} for links.`,
    ...isLow,
  ];
}

function choiceOf({ scheme, language }: PagesSettings): Choose | undefined {
  if (scheme === undefined && language === undefined) return undefined;
  return (request) => ({
    scheme: (typeof scheme === "function" ? scheme(request) : scheme) ?? "auto",
    language: typeof language === "function" ? language(request) : language,
  });
}

function siteOf(settings: PagesSettings, config: EngineFacts): Site {
  const { baseURL, basePath, pagesPrefix, routes, production } = config;
  const { host, origin } = new URL(baseURL);
  const below = (href: string) => (href.startsWith("/") ? basePath + href : href);
  return {
    app: settings.name ?? config.appName ?? host,
    logo: logoOf(settings.logo, below),
    showName: settings.showName,
    door: settings.door,
    accessURL: accessURL(settings.requestAccess),
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

function logoOf(logo: PagesSettings["logo"], below: (href: string) => string): Site["logo"] {
  if (logo === undefined) return undefined;
  return typeof logo === "string" ? below(logo) : [below(logo[0]), below(logo[1])];
}
