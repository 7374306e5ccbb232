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
  return { ...assets, styleParts: { ...assets.styleParts, brand: brandStyle(brand) } };
}

const accentHover = "--accent-hover:color-mix(in oklab,var(--accent) 85%,var(--text))";

/** The shades of the chosen background. */
const groundShades = [
  "--sunken:color-mix(in oklab,var(--bg) 96%,#000)",
  "--border:color-mix(in oklab,var(--bg) 86%,var(--text))",
];

/** CSS that overrides our own tokens; empty without a brand. */
export function brandStyle({ colors, radius, font }: Brand): string {
  const { accent, bg = brandColors.bg } = colors;
  const tokens = [
    ...Object.entries(colors).map(([name, pair]) => `--${name}:light-dark(${pair.join()})`),
    ...(accent === undefined
      ? []
      : [accentHover, `--accent-soft:light-dark(${softPair(accent, bg).join()})`]),
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

/** What text needs (WCAG 2.2, 1.4.3). */
export const leastContrast = 4.5;

/** How much of the accent is in the ground of badges and of the current link. */
const softShare = 0.14;

/** How much of black or white is added at a time. */
const step = 0.03;

/**
 * Returns the nearest readable accent: darker in the light scheme, lighter in the dark one; and the
 * color of texts on it.
 */
export function readableAccent(
  chosen: ColorPair,
): Readonly<Record<"accent" | "on-accent", ColorPair>> {
  const light = readable(chosen[0], 0);
  const dark = readable(chosen[1], 1);
  return { accent: [light, dark], "on-accent": [textOn(light, 0), textOn(dark, 1)] };
}

function readable(color: string, scheme: 0 | 1): string {
  const [bg, surface] = [brandColors.bg[scheme], brandColors.surface[scheme]];
  const isReadable = (each: string) =>
    [bg, surface, softGround(each, bg)].every(
      (ground) => contrastOf(each, ground) >= leastContrast,
    );
  let current = color.toLowerCase();
  while (!isReadable(current)) current = mix(current, scheme === 0 ? 0 : 255);
  return current;
}

/** A color with a little more of black (0) or white (255). */
function mix(color: string, part: number): string {
  const round = part === 0 ? Math.floor : Math.ceil;
  return toColor(channelsOf(color).map((each) => round(each + (part - each) * step)));
}

function softPair(accent: ColorPair, bg: ColorPair): ColorPair {
  return [softGround(accent[0], bg[0]), softGround(accent[1], bg[1])];
}

/** The ground of badges and of the current link: mostly the background. */
function softGround(accent: string, bg: string): string {
  const below = channelsOf(bg);
  return toColor(
    channelsOf(accent).map((each, place) => {
      const under = below[place] ?? 0;
      return Math.round(under + (each - under) * softShare);
    }),
  );
}

function channelsOf(color: string): readonly number[] {
  return [1, 3, 5].map((place) => Number.parseInt(color.slice(place, place + 2), 16));
}

function toColor(channels: readonly number[]): string {
  return `#${channels.map((each) => each.toString(16).padStart(2, "0")).join("")}`;
}

/** White or black is readable on any color. */
function textOn(accent: string, scheme: 0 | 1): string {
  const candidates = [brandColors["on-accent"][scheme], "#ffffff", "#000000"];
  const isReadable = (each: string) => contrastOf(each, accent) >= leastContrast;
  return candidates.find(isReadable) ?? "#ffffff";
}

/** The contrast of a text on its ground. */
export interface PairContrast {
  readonly text: BrandColor;
  readonly ground: Ground;
  readonly scheme: "light" | "dark";
  readonly ratio: number;
}

/** Returns the contrast of every pair of the chosen colors, in both schemes. */
export function pairContrasts({ colors }: Brand): readonly PairContrast[] {
  const chosen = { ...brandColors, ...colors };
  return pairs.flatMap(([text, ground]) =>
    (["light", "dark"] as const).map((scheme, place) => {
      const colorOf = (name: BrandColor) => chosen[name][place] ?? "";
      const below =
        ground === "accent-soft" ? softGround(colorOf("accent"), colorOf("bg")) : colorOf(ground);
      return { text, ground, scheme, ratio: contrastOf(colorOf(text), below) };
    }),
  );
}

/** Returns the unreadable pairs of the chosen colors. */
export function lowContrasts(brand: Brand): readonly PairContrast[] {
  return pairContrasts(brand).filter(({ ratio }) => ratio < leastContrast);
}
