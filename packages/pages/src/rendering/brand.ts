import { contrastOf, readableAccent, softPair } from "latchkey";

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
  /** Buttons, if they differ from the accent of links and edges. */
  readonly fill?: { readonly fill: ColorPair; readonly fillHover: ColorPair } | undefined;
  /** Of buttons, in pixels; cards and dialogs are rounder. */
  readonly radius?: number | undefined;
  /** A CSS `font-family`. */
  readonly font?: string | undefined;
}

/** Whether pages are light, dark, or as the device prefers. */
export type Scheme = "auto" | "light" | "dark";

/** The style sheets with the brand behind them. */
export function withBrand(assets: PageAssets, brand: Brand): PageAssets {
  return { ...assets, styleParts: { ...assets.styleParts, brand: brandStyle(brand) } };
}

const accentHover = "--accent-hover:color-mix(in oklab,var(--accent) 85%,var(--text))";

/** The shades of the chosen background. */
const groundShades = [
  "--sunken:color-mix(in oklab,var(--bg) 96%,#000)",
  "--border:color-mix(in oklab,var(--bg) 86%,var(--text))",
];

/** CSS that overrides our own tokens; empty without a brand. */
export function brandStyle({ colors, fill, radius, font }: Brand): string {
  const { accent, bg = brandColors.bg } = colors;
  const tokens = [
    ...Object.entries(colors).map(([name, pair]) => `--${name}:light-dark(${pair.join()})`),
    ...(accent === undefined
      ? []
      : [accentHover, `--accent-soft:light-dark(${softPair(accent, bg).join()})`]),
    ...(fill === undefined
      ? []
      : [
          `--accent-fill:light-dark(${fill.fill.join()})`,
          `--accent-fill-hover:light-dark(${fill.fillHover.join()})`,
        ]),
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

type Ground = BrandColor | "accent-soft";

/** A text and its ground. */
const pairs: readonly (readonly [text: BrandColor, ground: Ground])[] = [
  ["text", "bg"],
  ["text", "surface"],
  ["muted", "bg"],
  ["muted", "surface"],
  ["accent", "bg"],
  ["accent", "surface"],
  ["accent", "accent-soft"],
  ["on-accent", "accent"],
];

/** The chosen colors, with an accent that is readable on them; none if they are our own. */
export function readableBrand(
  chosen: ColorPair,
  colors: Brand["colors"] = {},
): Pick<Brand, "colors" | "fill"> {
  const { bg, surface } = { ...brandColors, ...colors };
  const { ink, onFill, fill, fillHover } = readableAccent(chosen, bg, surface);
  const all = { "on-accent": onFill, ...colors, accent: ink };
  return areOurs(all)
    ? { colors: {}, fill: undefined }
    : { colors: all, fill: { fill, fillHover } };
}

/** Whether colors are those of the style sheets, which then need no brand. */
function areOurs(colors: Brand["colors"]): boolean {
  return Object.entries(colors).every(
    ([name, pair]) => pair.join() === brandColors[name as BrandColor].join(),
  );
}

/** The brand for the components of `latchkey/react`, as a style sheet. */
export function brandSheet({ colors, fill, radius, font }: Brand, scheme: Scheme): string {
  const tokens = {
    ...colors,
    ...(colors.accent && { "accent-hover": colors.accent }),
    ...(fill && { "accent-fill": fill.fill, "accent-fill-hover": fill.fillHover }),
  };
  const lines = [
    ...Object.entries(tokens).map(([name, pair]) => `--lk-${name}: light-dark(${pair.join(", ")})`),
    ...(radius === undefined
      ? []
      : [`--lk-radius: ${radius}px`, `--lk-radius-dialog: ${radius + 8}px`]),
    ...(font === undefined ? [] : [`--lk-font: ${font}`]),
    ...(scheme === "auto" ? [] : [`--lk-scheme: ${scheme}`]),
  ];
  return `:root {\n${lines.map((line) => `  ${line};\n`).join("")}}\n`;
}

export interface PairContrast {
  readonly text: BrandColor;
  readonly ground: Ground;
  readonly scheme: "light" | "dark";
  readonly ratio: number;
  readonly isReadable: boolean;
}

/** Returns the contrast of every pair of the chosen colors, in both schemes. */
export function pairContrasts({ colors, fill }: Brand): readonly PairContrast[] {
  const chosen = { ...brandColors, ...colors };
  const soft = softPair(chosen.accent, chosen.bg);
  return pairs.flatMap(([text, ground]) =>
    (["light", "dark"] as const).map((scheme, place) => {
      const colorOf = (name: BrandColor) => chosen[name][place] ?? "";
      const grounds: Partial<Record<Ground, string | undefined>> = {
        "accent-soft": soft[place],
        accent: fill?.fill[place],
      };
      const below = grounds[ground] ?? chosen[ground as BrandColor][place] ?? "";
      return { text, ground, scheme, ...contrastOf(colorOf(text), below) };
    }),
  );
}

/** Returns the unreadable pairs of the chosen colors. */
export function lowContrasts(brand: Brand): readonly PairContrast[] {
  return pairContrasts(brand).filter(({ isReadable }) => !isReadable);
}
