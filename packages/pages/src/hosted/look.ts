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

/** The look of pages: what they know of the app, their names in messages, and the brand. */
export interface Look {
  readonly site: Site;
  readonly names: Names;
  /** The accent as chosen. */
  readonly accent: ColorSetting;
  readonly brand: Brand;
}

/** Decides the look by the settings of the pages, then by those of the engine. */
export function lookOf(settings: PagesSettings, config: LookFacts): Look {
  const { provider, radius, font } = settings;
  const accent = settings.accent ?? config.color.accent;
  const site = siteOf(settings, config);
  return {
    site,
    names: {
      app: site.app,
      provider: site.hasSeveralWays
        ? { message: "provider.unknown" }
        : (provider?.name ?? providerName(config.issuerBaseURL)),
      host: site.host,
    },
    accent,
    brand: { ...readableBrand(chosenPair(accent), chosenColors(settings)), radius, font },
  };
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
