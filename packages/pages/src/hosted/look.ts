import type { Config } from "latchkey";

import type { Site, SiteLink } from "../components/page-frame.tsx";
import { providerName } from "../messages/provider-name.ts";
import type { Names } from "../messages/words.ts";
import { type Brand, readableBrand } from "../rendering/brand.ts";
import { accessURL } from "./access-url.ts";
import { chosenColors, chosenPair, type ColorSetting, type PagesSettings } from "./settings.ts";

/** What the look of pages needs of the settings of the engine. */
export type LookFacts = Pick<
  Config,
  "appName" | "baseURL" | "basePath" | "color" | "issuerBaseURL" | "pagesPrefix" | "production"
> & {
  /** By their ids. */
  readonly connections: Readonly<Record<string, Pick<Config, "issuerBaseURL">>>;
  /** Default: false. */
  readonly hasSeveralWays?: boolean;
  readonly routes: Pick<Config["routes"], "login" | "logout">;
};

/** What pages know of the app, and its names in messages. */
export interface Look {
  readonly site: Site;
  readonly names: Names;
}

export interface ChosenBrand {
  /** The accent as chosen. */
  readonly accent: ColorSetting;
  readonly brand: Brand;
}

/** Decides the look by the settings of the pages, then by those of the engine. */
export function lookOf(settings: PagesSettings, config: LookFacts): Look & ChosenBrand {
  return { ...lookAt(settings, config), ...brandOf(settings, config) };
}

/** What differs from host to host. */
export function lookAt(settings: PagesSettings, config: LookFacts): Look {
  const site = siteOf(settings, config);
  return {
    site,
    names: {
      app: site.app,
      provider: site.hasSeveralWays
        ? { message: "provider.unknown" }
        : (settings.provider?.name ?? providerName(config.issuerBaseURL)),
      host: site.host,
    },
  };
}

/** What is the same at all hosts. */
export function brandOf(settings: PagesSettings, { color }: Pick<LookFacts, "color">): ChosenBrand {
  const { radius, font, accent = color.accent } = settings;
  const brand = readableBrand(chosenPair(accent), chosenColors(settings));
  return { accent, brand: { ...brand, radius, font } };
}

function siteOf(settings: PagesSettings, config: LookFacts): Site {
  const { baseURL, basePath, pagesPrefix, routes, production, hasSeveralWays = false } = config;
  const { standalone = false } = settings;
  const { host, origin } = new URL(baseURL);
  const below = (href: string) => (href.startsWith("/") ? basePath + href : href);
  const links = (settings.links ?? []).map(({ href, label }) => ({ href: below(href), label }));
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
    root: standalone ? basePath : basePath + pagesPrefix,
    homeURL: `${baseURL}/`,
    links: standalone ? [sampleLink(baseURL), ...links] : links,
    loginURL: baseURL + routes.login,
    logoutURL: baseURL + routes.logout,
    pictureSources: [origin, ...(settings.pictureSources ?? [])],
    hasSeveralWays,
    development: !production,
  };
}

function sampleLink(baseURL: string): SiteLink {
  return { href: `${baseURL}/sample`, label: { message: "nav.sample" } };
}

function logoOf(logo: PagesSettings["logo"], below: (href: string) => string): Site["logo"] {
  if (logo === undefined) return undefined;
  return typeof logo === "string" ? below(logo) : [below(logo[0]), below(logo[1])];
}
