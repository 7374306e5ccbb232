/** A color as `#rrggbb` in the light scheme, and in the dark one. */
export type ColorPair = readonly [light: string, dark: string];

/** An accent by its uses. */
export interface Accent {
  /** Of links and edges: readable on every ground of a page. */
  readonly ink: ColorPair;
  /** Of buttons: as chosen. */
  readonly fill: ColorPair;
  /** Of texts on buttons. */
  readonly onFill: ColorPair;
  /** Of buttons below the pointer. */
  readonly fillHover: ColorPair;
}

/** What text needs (WCAG 2.2, 1.4.3). */
const leastContrast = 4.5;

/** How much of the accent is in the ground of badges and of the current link. */
const softShare = 0.14;

/** How much of black or white is added at a time. */
const step = 0.03;

const hoverShare = 0.15;

/**
 * Returns the nearest readable accent: darker in the light scheme, lighter in the dark one. Buttons
 * keep the chosen color, and get a text that is readable on it.
 *
 * @param background - of pages
 * @param surface - of what stands on them
 */
export function readableAccent(
  chosen: ColorPair,
  background: ColorPair,
  surface: ColorPair,
): Accent {
  const fill: ColorPair = [chosen[0].toLowerCase(), chosen[1].toLowerCase()];
  const onFill: ColorPair = [textOn(fill[0], "#ffffff"), textOn(fill[1], "#06231d")];
  return {
    ink: [
      inkOf(fill[0], background[0], surface[0], black),
      inkOf(fill[1], background[1], surface[1], white),
    ],
    fill,
    onFill,
    fillHover: [awayFrom(onFill[0], fill[0]), awayFrom(onFill[1], fill[1])],
  };
}

/** The ground of badges and of the current link: mostly the background. */
export function softPair(accent: ColorPair, background: ColorPair): ColorPair {
  return [
    mix(background[0], channelsOf(accent[0]), softShare, Math.round),
    mix(background[1], channelsOf(accent[1]), softShare, Math.round),
  ];
}

/** The contrast of a text on its ground. */
export interface Contrast {
  /** From 1 to 21 (WCAG 2.2, contrast ratio). */
  readonly ratio: number;
  readonly isReadable: boolean;
}

/**
 * Returns the contrast of two colors.
 *
 * @param one - as `#rrggbb`, like the other
 */
export function contrastOf(one: string, other: string): Contrast {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted(
    (a, b) => a - b,
  );
  const ratio = (lighter + 0.05) / (darker + 0.05);
  return { ratio, isReadable: ratio >= leastContrast };
}

type Channels = readonly number[];

const black: Channels = [0, 0, 0];
const white: Channels = [255, 255, 255];

function inkOf(color: string, background: string, surface: string, toward: Channels): string {
  const round = toward === black ? Math.floor : Math.ceil;
  const isReadable = (each: string) =>
    [background, surface, mix(background, channelsOf(each), softShare, Math.round)].every(
      (ground) => contrastOf(each, ground).isReadable,
    );
  const end = mix(color, toward, 1, Math.round);
  let current = color;
  while (!isReadable(current) && current !== end) current = mix(current, toward, step, round);
  return current;
}

/** White or black is readable on any color. */
function textOn(ground: string, usual: string): string {
  const isReadable = (each: string) => contrastOf(each, ground).isReadable;
  return [usual, "#ffffff", "#000000"].find(isReadable) ?? usual;
}

/** The ground of a text, with a little more contrast. */
function awayFrom(text: string, ground: string): string {
  const isLight = luminanceOf(text) > luminanceOf(ground);
  return mix(ground, isLight ? black : white, hoverShare, Math.round);
}

function mix(
  color: string,
  other: Channels,
  share: number,
  round: (channel: number) => number,
): string {
  const channels = channelsOf(color).map((each, place) =>
    round(each + ((other[place] ?? 0) - each) * share),
  );
  return `#${channels.map((each) => each.toString(16).padStart(2, "0")).join("")}`;
}

function channelsOf(color: string): Channels {
  return [1, 3, 5].map((place) => Number.parseInt(color.slice(place, place + 2), 16));
}

/** Relative luminance, from 0 for black to 1 for white. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((each) => linear(each / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
