import { readFileSync } from "node:fs";
import { extname } from "node:path";

import type { PagesSettings } from "@latchkey/pages";
import { languages } from "@latchkey/pages/languages";
import type { ConfigFault, Environment } from "latchkey";
import * as v from "valibot";

import { faultOf, readVariables, type Values } from "./variables.ts";

const largestRadius = 24;
/** In bytes; the logo is part of every page. */
const largestLogo = 16_384;

const logoTypes: Readonly<Record<string, string>> = {
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
};

const colorRule = "must be one color like #0b6e5f, or two: light, then dark";
const radiusRule = `must be a number of pixels from 0 to ${largestRadius}`;
const fontRule = "must be names of fonts, separated by commas";
const languageRule = `must be one of ${[...languages.keys()].join(", ")}`;

const colors = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.regex(/^#[\da-f]{6}(?:[\s,]+#[\da-f]{6})?$/, colorRule),
  v.transform((text): readonly [light: string, dark: string] => {
    const [light = "", dark = light] = text.split(/[\s,]+/);
    return [light, dark];
  }),
);

/** The schema of each variable about the look of pages; the engine reads the accent. */
export const brandVariables = {
  LATCHKEY_COLOR_ON_ACCENT: colors,
  LATCHKEY_COLOR_BACKGROUND: colors,
  LATCHKEY_COLOR_SURFACE: colors,
  LATCHKEY_COLOR_TEXT: colors,
  LATCHKEY_COLOR_MUTED: colors,
  LATCHKEY_RADIUS: v.pipe(
    v.string(),
    v.regex(/^\d+(?:\.\d+)?(?:px)?$/, radiusRule),
    v.transform(Number.parseFloat),
    v.maxValue(largestRadius, radiusRule),
  ),
  // Without characters that could end a declaration of CSS.
  LATCHKEY_FONT: v.pipe(
    v.string(),
    v.regex(/^[\w\s,'"-]{1,200}$/, fontRule),
    v.check(areQuotesClosed, fontRule),
  ),
  LATCHKEY_LOGO: v.string(),
  LATCHKEY_LOGO_DARK: v.string(),
  LATCHKEY_SCHEME: v.picklist(["auto", "light", "dark"], "must be auto, light or dark"),
  LATCHKEY_LANGUAGE: v.picklist([...languages.keys()], languageRule),
};

/** Never throws: its faults are reported together with those of the other settings. */
export function readBrand(environment: Environment): {
  readonly brand: PagesSettings;
  readonly faults: readonly ConfigFault[];
} {
  const { values, faults } = readVariables(environment, brandVariables);
  const { logo, faults: logoFaults } = readLogos(values);
  return {
    brand: {
      colors: {
        background: values.LATCHKEY_COLOR_BACKGROUND,
        surface: values.LATCHKEY_COLOR_SURFACE,
        text: values.LATCHKEY_COLOR_TEXT,
        muted: values.LATCHKEY_COLOR_MUTED,
        onAccent: values.LATCHKEY_COLOR_ON_ACCENT,
      },
      radius: values.LATCHKEY_RADIUS,
      font: values.LATCHKEY_FONT,
      logo,
      scheme: values.LATCHKEY_SCHEME,
      language: values.LATCHKEY_LANGUAGE,
    },
    faults: [...faults, ...logoFaults],
  };
}

/** The logo, or one for light and one for dark screens. */
function readLogos({ LATCHKEY_LOGO, LATCHKEY_LOGO_DARK }: Values<typeof brandVariables>): {
  readonly logo: PagesSettings["logo"];
  readonly faults: readonly ConfigFault[];
} {
  const read = Object.entries({ LATCHKEY_LOGO, LATCHKEY_LOGO_DARK }).flatMap(([variable, path]) =>
    path === undefined ? [] : [{ variable, path, logo: readLogo(path) }],
  );
  const faults = read.flatMap(({ variable, path, logo }) =>
    typeof logo === "object" ? [faultOf(variable, logo.fault, { seen: path })] : [],
  );
  if (LATCHKEY_LOGO === undefined && LATCHKEY_LOGO_DARK !== undefined) faults.push(noLightLogo);
  const [light, dark] = read.flatMap(({ logo }) => (typeof logo === "string" ? [logo] : []));
  if (faults.length > 0 || light === undefined) return { logo: undefined, faults };
  return { logo: dark === undefined ? light : [light, dark], faults };
}

const noLightLogo = faultOf("LATCHKEY_LOGO", "is required beside LATCHKEY_LOGO_DARK", {
  remedy: "Set it to the logo for light screens, or leave LATCHKEY_LOGO_DARK out.",
});

function areQuotesClosed(text: string): boolean {
  return [`"`, `'`].every((quote) => (text.split(quote).length - 1) % 2 === 0);
}

/** Returns the logo as a data address, or why there is none. */
function readLogo(path: string): string | { readonly fault: string } {
  const type = logoTypes[extname(path).toLowerCase()];
  if (type === undefined) return { fault: "must name a file that ends in .svg, .png or .webp" };
  try {
    const bytes = readFileSync(path);
    if (bytes.length > largestLogo)
      return { fault: `names a file of ${bytes.length} bytes; a logo has at most 16 kB` };
    return `data:${type};base64,${bytes.toString("base64")}`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { fault: `names a file that cannot be read: ${reason}` };
  }
}
