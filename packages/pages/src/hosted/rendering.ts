import assets from "#assets";
import type { Config } from "latchkey";

import { onlyEnglish } from "../messages/catalogue.ts";
import { createVocabularies } from "../messages/vocabulary.ts";
import { brandColors, brandSheet, lowContrasts, withBrand } from "../rendering/brand.ts";
import { enginePaths } from "../rendering/engine-paths.ts";
import { createLiveWords } from "../rendering/live-words.ts";
import type { Choose, RenderContext } from "../rendering/render-context.ts";
import { brandOf, type ChosenBrand, lookAt, type LookFacts } from "./look.ts";
import type { PagesSettings } from "./settings.ts";

/** What pages need of the settings of the engine. */
export interface EngineFacts extends LookFacts {
  readonly routes: Pick<Config["routes"], "login" | "logout" | "me">;
  readonly streams: number;
}

type BrandFacts = Pick<EngineFacts, "color" | "production">;

interface Runtime {
  warn(message: string): void;
  now(): number;
}

/** How the pages of an app are rendered. */
export interface Rendering {
  /** As CSS for `brand.css`. */
  readonly brand: string;
  /** Adds what belongs to one site. */
  at(config: EngineFacts): RenderContext;
}

/** Makes what the pages of all sites share: a client chooses the names of hosts. */
export function createRendering(
  settings: PagesSettings,
  config: BrandFacts,
  { now, warn }: Runtime,
): Rendering {
  const { languages = onlyEnglish, scheme = "auto" } = settings;
  const chosen = brandOf(settings, config);
  for (const sentence of colorWarnings(chosen, config)) warn(sentence);
  const vocabularyWith = createVocabularies(languages);
  const { brand } = chosen;
  const shared = { assets: withBrand(assets, brand), choose: choiceOf(settings), now };
  return {
    brand: brandSheet(brand, typeof scheme === "string" ? scheme : "auto"),
    at(facts) {
      const { site, names } = lookAt(settings, facts);
      const vocabulary = vocabularyWith(names);
      return {
        ...shared,
        site,
        vocabulary,
        liveWords: createLiveWords(vocabulary, languages),
        paths: enginePaths(facts),
        isLive: facts.streams > 0,
      };
    },
  };
}

/** A part of a brand that cannot be read is better known before people see it. */
function colorWarnings(
  { accent, brand }: ChosenBrand,
  { production }: BrandFacts,
): readonly string[] {
  const { accent: ink = brandColors.accent } = brand.colors;
  const chosen = typeof accent === "string" ? accent.split(/[ ,]+/) : accent;
  // The color for dark screens may not be the developer's.
  const changed = chosen.filter((each, scheme) => each.toLowerCase() !== ink[scheme]);
  const isLow = lowContrasts(brand).map(
    ({ text, ground, scheme, ratio }) =>
      `The color ${text} on ${ground} has a contrast of ${ratio.toFixed(1)} in the ${scheme} scheme; text needs 4.5.`,
  );
  if (changed.length === 0 || production) return isLow;
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
