import assets from "#assets";
import type { Config } from "latchkey";

import { onlyEnglish } from "../messages/catalogue.ts";
import { createVocabulary } from "../messages/vocabulary.ts";
import { brandColors, brandSheet, lowContrasts, withBrand } from "../rendering/brand.ts";
import { enginePaths } from "../rendering/engine-paths.ts";
import { createLiveWords } from "../rendering/live-words.ts";
import type { Choose, RenderContext } from "../rendering/render-context.ts";
import { type Look, type LookFacts, lookOf } from "./look.ts";
import type { PagesSettings } from "./settings.ts";

/** What pages need of the settings of the engine. */
export interface EngineFacts extends LookFacts {
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
  const { languages = onlyEnglish, scheme = "auto" } = settings;
  const look = lookOf(settings, config);
  const { site, names, brand } = look;
  for (const sentence of colorWarnings(look)) warn(sentence);
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
function colorWarnings({ accent, brand, site }: Look): readonly string[] {
  const { accent: ink = brandColors.accent } = brand.colors;
  const chosen = typeof accent === "string" ? accent.split(/[ ,]+/) : accent;
  // The color for dark screens may not be the developer's.
  const changed = chosen.filter((each, scheme) => each.toLowerCase() !== ink[scheme]);
  const isLow = lowContrasts(brand).map(
    ({ text, ground, scheme, ratio }) =>
      `The color ${text} on ${ground} has a contrast of ${ratio.toFixed(1)} in the ${scheme} scheme; text needs 4.5.`,
  );
  if (changed.length === 0 || !site.development) return isLow;
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
