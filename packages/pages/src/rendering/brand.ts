import { contrastOf } from "./contrast.ts";
import type { PageAssets } from "./page-assets.ts";

/** The colors of a brand, by their names in `styles/tokens.css`. */
export const brandColors = {
  accent: ["#0b6e5f", "#4cc9ae"],
  "on-accent": ["#ffffff", "#06231d"],
  bg: ["#fbfbfa", "#0e1114"],
  surface: ["#ffffff", "#15191d"],
  text: ["#16191d", "#eceef0"],
  muted: ["#565d66", "#a3abb4"],
} as const satisfies Record<string, ColorPair>;

export type BrandColor = keyof typeof brandColors;

/** A color as `#rrggbb` in the light scheme, and in the dark one. */
export type ColorPair = readonly [light: string, dark: string];

/** How the pages look, as far as an operator has chosen. */
export interface Brand {
  readonly colors: Partial<Readonly<Record<BrandColor, ColorPair>>>;
  /** Of buttons, in pixels; cards and dialogs are rounder. */
  readonly radius?: number | undefined;
  /** A CSS `font-family`. */
  readonly font?: string | undefined;
}

/** The style sheets with the brand behind them. */
export function withBrand(assets: PageAssets, brand: Brand): PageAssets {
  const style = brandStyle(brand);
  return {
    ...assets,
    publicStyle: assets.publicStyle + style,
    signedInStyle: assets.signedInStyle + style,
    galleryStyle: assets.galleryStyle + style,
  };
}

/** The shades of the chosen accent. */
const accentShades = [
  "--accent-hover:color-mix(in oklab,var(--accent) 85%,var(--text))",
  "--accent-soft:color-mix(in oklab,var(--accent) 14%,var(--bg))",
];

/** The shades of the chosen background. */
const groundShades = [
  "--sunken:color-mix(in oklab,var(--bg) 96%,#000)",
  "--border:color-mix(in oklab,var(--bg) 86%,var(--text))",
];

/** CSS that overrides our own tokens; empty without a brand. */
export function brandStyle({ colors, radius, font }: Brand): string {
  const tokens = [
    ...Object.entries(colors).map(([name, pair]) => `--${name}:light-dark(${pair.join()})`),
    ...(colors.accent === undefined ? [] : accentShades),
    ...(colors.bg === undefined ? [] : groundShades),
    ...(radius === undefined
      ? []
      : [
          `--radius:${radius}px`,
          `--radius-card:${radius + 4}px`,
          `--radius-dialog:${radius + 8}px`,
        ]),
    ...(font === undefined ? [] : [`--sans:${font}`]),
  ];
  return tokens.length === 0 ? "" : `:root{${tokens.join(";")}}`;
}

/** A text and its ground. */
const pairs: readonly (readonly [text: BrandColor, ground: BrandColor])[] = [
  ["text", "bg"],
  ["text", "surface"],
  ["muted", "bg"],
  ["muted", "surface"],
  ["accent", "bg"],
  ["accent", "surface"],
  ["on-accent", "accent"],
];

/** What text needs (WCAG 2.2, 1.4.3). */
const leastContrast = 4.5;

/** A text and ground with little contrast. */
export interface LowContrast {
  readonly text: BrandColor;
  readonly ground: BrandColor;
  readonly scheme: "light" | "dark";
  readonly ratio: number;
}

/** Returns the unreadable pairs of the chosen colors. */
export function lowContrasts({ colors }: Brand): readonly LowContrast[] {
  const chosen = { ...brandColors, ...colors };
  return pairs.flatMap(([text, ground]) =>
    (["light", "dark"] as const).flatMap((scheme, place) => {
      const ratio = contrastOf(chosen[text][place] ?? "", chosen[ground][place] ?? "");
      return ratio < leastContrast ? [{ text, ground, scheme, ratio }] : [];
    }),
  );
}
