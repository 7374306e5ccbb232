import { readFileSync } from "node:fs";
import { extname } from "node:path";

import type { ConfigFault, Environment } from "latchkey";

import type { Brand, BrandColor, ColorPair, LowContrast } from "../../rendering/brand.ts";
import { environmentReader } from "./environment-reader.ts";

/** Which variable chooses which colour. */
const colorVariables = {
  LATCHKEY_COLOR_ACCENT: "accent",
  LATCHKEY_COLOR_ON_ACCENT: "on-accent",
  LATCHKEY_COLOR_BACKGROUND: "bg",
  LATCHKEY_COLOR_SURFACE: "surface",
  LATCHKEY_COLOR_TEXT: "text",
  LATCHKEY_COLOR_MUTED: "muted",
} as const satisfies Record<string, BrandColor>;

const colorNames = Object.keys(colorVariables) as (keyof typeof colorVariables)[];

/** Variables about how the pages look. */
export const brandVariables = [
  ...colorNames,
  "LATCHKEY_FONT",
  "LATCHKEY_LOGO",
  "LATCHKEY_RADIUS",
] as const;

type BrandVariable = (typeof brandVariables)[number];

export interface BrandSettings extends Brand {
  /** The picture beside the name of the app, as a data address. */
  readonly logo?: string | undefined;
}

const largestRadius = 24;
/** In bytes; the logo is part of every page. */
const largestLogo = 16_384;

const logoTypes: Readonly<Record<string, string>> = {
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
};

/** Never throws: faults are told together with those of the other settings. */
export function readBrand(environment: Environment): {
  readonly brand: BrandSettings;
  readonly faults: readonly ConfigFault[];
} {
  const { value, faults } = environmentReader<BrandVariable>(environment);
  const colors = Object.fromEntries(
    colorNames.flatMap((variable) => {
      const pair = value(
        variable,
        colorPair,
        "must be one colour like #0b6e5f, or two: light, then dark",
      );
      return pair === undefined ? [] : [[colorVariables[variable], pair]];
    }),
  );
  return {
    brand: {
      colors,
      radius: value(
        "LATCHKEY_RADIUS",
        radiusIn,
        `must be a number of pixels from 0 to ${largestRadius}`,
      ),
      font: value("LATCHKEY_FONT", fontIn, "must be names of fonts, separated by commas"),
      logo: value("LATCHKEY_LOGO", logoIn, "must be an SVG, PNG or WebP file of at most 16 kB"),
    },
    faults,
  };
}

function colorPair(text: string): ColorPair | null {
  const [light = "", dark = light, ...more] = text.toLowerCase().split(/[\s,]+/);
  const isColor = (color: string) => /^#[\da-f]{6}$/.test(color);
  return isColor(light) && isColor(dark) && more.length === 0 ? [light, dark] : null;
}

function radiusIn(text: string): number | null {
  const radius = Number(text.replace(/px$/, ""));
  return radius >= 0 && radius <= largestRadius ? radius : null;
}

/** Nothing that could end a declaration of CSS. */
function fontIn(text: string): string | null {
  return /^[\w\s,'"-]{1,200}$/.test(text) && areQuotesClosed(text) ? text : null;
}

function areQuotesClosed(text: string): boolean {
  return [`"`, `'`].every((quote) => (text.split(quote).length - 1) % 2 === 0);
}

function logoIn(path: string): string | null {
  const type = logoTypes[extname(path).toLowerCase()];
  if (type === undefined) return null;
  try {
    const bytes = readFileSync(path);
    return bytes.length <= largestLogo ? `data:${type};base64,${bytes.toString("base64")}` : null;
  } catch {
    return null;
  }
}

/** What an operator is told about colours that cannot be read well. */
export function contrastWarning({ text, ground, scheme, ratio }: LowContrast): string {
  const named = (color: BrandColor) => colorNames.find((name) => colorVariables[name] === color);
  const shown = Math.floor(ratio * 10) / 10;
  return `${named(text)} on ${named(ground)} has a contrast of ${shown} in the ${scheme} scheme; text needs 4.5.`;
}
