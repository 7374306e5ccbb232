import type { ConfigFault } from "latchkey";

import type { Languages } from "../messages/catalogue.ts";

/** How the pages look, and what they name. Everything is optional. */
export interface PagesSettings {
  /** Name of the app. By default the setting `appName`, then its host. */
  readonly name?: string | undefined;
  /**
   * Address of the picture beside the name: of a public file of the app, `https:`, or `data:`. It
   * is shown in 32 pixels of height and at most 160 of width. By default, and if it cannot be
   * loaded, a door.
   */
  readonly logo?: string | undefined;
  /**
   * Color of buttons and links as `#rrggbb`, or one for light and one for dark screens. It is
   * darkened or lightened if it cannot be read. By default the setting `color.accent`.
   */
  readonly accent?: string | readonly [light: string, dark: string] | undefined;
  /** Roundness of buttons in pixels, at most 24. */
  readonly radius?: number | undefined;
  /** Where people get help. */
  readonly support?: { readonly name: string; readonly url?: string | undefined } | undefined;
  /** Links of the app in the navigation of signed-in people. */
  readonly links?: readonly { readonly href: string; readonly label: string }[] | undefined;
  /** Display name of the provider, and the address of the account there. */
  readonly provider?: { readonly name?: string; readonly url?: string } | undefined;
  /** Allowed origins of profile pictures. By default none: initials are shown. */
  readonly pictureSources?: readonly string[] | undefined;
  /** Languages beside English: `languages` of `@latchkey/pages/languages`. */
  readonly languages?: Languages | undefined;
}

const longestName = 60;
/** The logo is part of every page, as text of an address. */
const longestLogo = 22_000;
const largestRadius = 24;
const logoAddress = /^(?:https:\/\/|\/(?!\/)|data:image\/(?:svg\+xml|png|webp|jpeg|gif)[;,])/i;

/** What cannot be used, for the report of the engine. */
export function pagesFaults(settings: PagesSettings): readonly ConfigFault[] {
  const { name, logo, accent, radius = 0, links = [], support, provider } = settings;
  const accents = accent === undefined ? [] : [accent].flat();
  const addresses = [support?.url, provider?.url, ...links.map(({ href }) => href)];
  const checks: readonly (readonly [option: string, isFaulty: boolean, message: string])[] = [
    ["name", name !== undefined && !isName(name), `must have 1 to ${longestName} characters`],
    [
      "logo",
      logo !== undefined && !logoAddress.test(logo),
      "must be an address of a picture: /logo.svg, https: or data:image/",
    ],
    [
      "logo",
      (logo?.length ?? 0) > longestLogo,
      "is larger than 16 kB; a logo is part of every page",
    ],
    ["accent", !accents.every(isColor), "must be a color like #0b6e5f, or two: light, then dark"],
    [
      "radius",
      !(radius >= 0 && radius <= largestRadius),
      `must be a number of pixels from 0 to ${largestRadius}`,
    ],
    [
      "links",
      !addresses.every(isLink),
      "must have addresses with https:, http: or mailto:, or paths",
    ],
  ];
  return checks.flatMap(([option, isFaulty, message]) =>
    isFaulty
      ? [
          {
            option: `pages.${option}`,
            variable: "",
            message,
            remedy: "Change it, or leave it out.",
          },
        ]
      : [],
  );
}

/** One accent, or one for light and one for dark screens. */
export function chosenAccents(accent: NonNullable<PagesSettings["accent"]>): readonly string[] {
  return typeof accent === "string" ? accent.split(/[ ,]+/) : accent;
}

/** Whether a text is `#rrggbb`. */
export function isColor(text: string): boolean {
  return /^#[\da-f]{6}$/i.test(text);
}

function isName(name: string): boolean {
  return name.trim() !== "" && Array.from(name).length <= longestName;
}

function isLink(address: string | undefined): boolean {
  return address === undefined || /^(?:https?:\/\/|mailto:|\/(?!\/)|#)/i.test(address);
}
