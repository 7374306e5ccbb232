import type { AuthRequest, Part } from "latchkey";

import type { AccessDetails } from "../components/access-details.ts";
import type { Languages } from "../messages/catalogue.ts";
import type { Brand, ColorPair, Scheme } from "../rendering/brand.ts";

/** `#rrggbb`, or one color for light and one for dark screens. */
export type ColorSetting = string | readonly [light: string, dark: string];

/** How the pages look, and what they name. Everything is optional. */
export interface PagesSettings {
  /**
   * Whether the pages are a site of their own, as in our web application: with a home page at `/`,
   * and account, devices and a sample page at `/account`, `/devices` and `/sample`. By default they
   * are below the prefix of pages, without a home page.
   */
  readonly standalone?: boolean | undefined;
  /** Name of the app. By default the setting `appName`, then its host. */
  readonly name?: string | undefined;
  /**
   * Address of the picture beside the name: of a public file of the app, `https:`, or `data:`. It
   * is shown in 32 pixels of height and at most 160 of width. By default, and if it cannot be
   * loaded, a door.
   */
  readonly logo?: string | readonly [light: string, dark: string] | undefined;
  /** Whether the name stands beside the logo. By default true. */
  readonly showName?: boolean | undefined;
  /** Whether pages have the drawing of a door. By default true. */
  readonly door?: boolean | undefined;
  /**
   * Color of buttons as `#rrggbb`, or one for light and one for dark screens. For links and edges
   * it is darkened or lightened if it cannot be read. By default the setting `color.accent`.
   */
  readonly accent?: ColorSetting | undefined;
  /** Further colors, like `accent`. By default our own. */
  readonly colors?:
    | {
        readonly background?: ColorSetting | undefined;
        /** Of cards and dialogs. */
        readonly surface?: ColorSetting | undefined;
        readonly text?: ColorSetting | undefined;
        /** Of less important texts. */
        readonly muted?: ColorSetting | undefined;
        /** Of texts on buttons. By default white or black, as can be read. */
        readonly onAccent?: ColorSetting | undefined;
      }
    | undefined;
  /** Names of fonts, separated by commas. By default the font of the system. */
  readonly font?: string | undefined;
  /** Light or dark pages, also by the request. By default `auto`, as the device prefers. */
  readonly scheme?: Scheme | ((request: AuthRequest) => Scheme | undefined) | undefined;
  /**
   * Language of the pages, e.g. `de` or `pt-BR`, also by the request. By default, and for
   * `undefined`, the first of the browser's that there is.
   */
  readonly language?: string | ((request: AuthRequest) => string | undefined) | undefined;
  /** Roundness of buttons in pixels, at most 24. */
  readonly radius?: number | undefined;
  /** Where people get help. */
  readonly support?: { readonly name: string; readonly url?: string | undefined } | undefined;
  /**
   * Where refused users request access: an address of a page or `mailto:`, which gets `page`,
   * `rule`, `account` and `reference`, or a function that makes one of them. By default nowhere.
   */
  readonly requestAccess?: string | ((details: AccessDetails) => string | undefined) | undefined;
  /** Links of the app in the navigation of signed-in people. */
  readonly links?: readonly { readonly href: string; readonly label: string }[] | undefined;
  /** Display name of the provider, and the address of the account there. */
  readonly provider?:
    | { readonly name?: string | undefined; readonly url?: string | undefined }
    | undefined;
  /** Allowed origins of profile pictures. By default none: initials are shown. */
  readonly pictureSources?: readonly string[] | undefined;
  /** Languages beside English: `languages` of `@latchkey/pages/languages`. */
  readonly languages?: Languages | undefined;
  /**
   * What some hosts of the app have in place of the settings above, by their names, such as
   * `shop.customer.example`. By default all hosts look the same.
   */
  readonly hosts?: Readonly<Record<string, HostSettings>> | undefined;
}

/** The name, look and language of one host. */
type HostSettings = Omit<PagesSettings, "hosts" | "languages" | "standalone">;

const longestName = 60;
/** The logo is part of every page, as text of an address. */
const longestLogo = 22_000;
const largestRadius = 24;
const logoAddress = /^(?:https:\/\/|\/(?!\/)|data:image\/(?:svg\+xml|png|webp|jpeg|gif)[;,])/i;

type Form = Part["written"]["forms"][string];

const trueOrFalse: Form = {
  expected: "must be true or false",
  isGood: (value) => typeof value === "boolean",
};

const anyText: Form = { expected: "must be text", isGood: (value) => typeof value === "string" };

const color: Form = {
  expected: "must be a color like #0b6e5f, or two: light, then dark",
  isGood: (value) => [value].flat().every(isColor),
};

const address: Form = {
  expected: "must be an address with https:, http: or mailto:, or a path",
  isGood: isLink,
};

const colorForms = {
  background: color,
  surface: color,
  text: color,
  muted: color,
  onAccent: color,
};

/** What the settings must be; the engine reports those that are not. */
export const pagesForms: Readonly<Record<keyof PagesSettings, Form>> = {
  standalone: trueOrFalse,
  name: { expected: `must have 1 to ${longestName} characters`, isGood: isName },
  logo: {
    expected: "must be a picture of at most 16 kB: /logo.svg, https: or data:image/",
    isGood: (value) => [value].flat().every(isLogo),
  },
  showName: trueOrFalse,
  door: trueOrFalse,
  accent: color,
  colors: { expected: "must be an object of colors", members: () => colorForms },
  font: { expected: "must be names of fonts, separated by commas", isGood: isFont },
  scheme: {
    expected: "must be auto, light or dark, or a function",
    isGood: (value) =>
      typeof value === "function" || ["auto", "light", "dark"].some((each) => each === value),
  },
  language: {
    expected: "must be a language such as de, or a function",
    isGood: (value) => typeof value === "function" || typeof value === "string",
  },
  radius: {
    expected: `must be a number of pixels from 0 to ${largestRadius}`,
    isGood: (value) => typeof value === "number" && value >= 0 && value <= largestRadius,
  },
  support: {
    expected: "must be an object with name and url",
    members: () => ({ name: anyText, url: address }),
  },
  requestAccess: {
    expected: `${address.expected}, or a function`,
    isGood: (value) => typeof value === "function" || isLink(value),
  },
  links: {
    expected: "must be a list of objects with href and label",
    items: () => ({ href: address, label: anyText }),
  },
  provider: {
    expected: "must be an object with name and url",
    members: () => ({ name: anyText, url: address }),
  },
  pictureSources: {
    expected: "must be a list of origins such as https://pictures.example.com",
    isGood: (value) => Array.isArray(value) && value.every(isOrigin),
  },
  languages: {
    expected: "must be languages of @latchkey/pages/languages",
    isGood: (value) => value instanceof Map,
  },
  hosts: {
    expected: "must be an object of settings by hosts",
    members: (given) =>
      Object.fromEntries(Object.keys(given).map((host) => [host, formOfHost(host)])),
  },
};

function formOfHost(host: string): Form {
  const expected = "must be a host as addresses spell it, such as shop.customer.example";
  if (URL.parse(`https://${host}`)?.host !== host) return { expected, isGood: () => false };
  const { hosts: _hosts, languages: _languages, standalone: _standalone, ...forms } = pagesForms;
  return { expected: "must be an object of settings", members: () => forms };
}

/** The color for light and the one for dark screens. */
export function chosenPair(given: ColorSetting): ColorPair {
  const [light = "", dark = light] = typeof given === "string" ? given.split(/[ ,]+/) : given;
  return [light, dark];
}

/** The colors beside the accent, by their names in the style sheet. */
export function chosenColors({ colors = {} }: PagesSettings): Brand["colors"] {
  const { background, surface, text, muted, onAccent } = colors;
  const named = { bg: background, surface, text, muted, "on-accent": onAccent };
  const chosen = Object.entries(named).flatMap(([name, given]) =>
    given === undefined ? [] : [[name, chosenPair(given)] as const],
  );
  return Object.fromEntries(chosen);
}

/** Without characters that could end a declaration of CSS. */
function isFont(font: unknown): boolean {
  if (typeof font !== "string") return false;
  const isClosed = [`"`, "'"].every((quote) => (font.split(quote).length - 1) % 2 === 0);
  return isClosed && /^[\p{L}\p{N} ,'"_-]{1,200}$/u.test(font);
}

/** Whether a text is `#rrggbb`. */
export function isColor(given: unknown): boolean {
  return typeof given === "string" && /^#[\da-f]{6}$/i.test(given);
}

function isLogo(given: unknown): boolean {
  return typeof given === "string" && given.length <= longestLogo && logoAddress.test(given);
}

/** Each becomes part of a policy for browsers, which a space or a semicolon would extend. */
function isOrigin(source: unknown): boolean {
  if (typeof source !== "string" || !/^https?:\/\/[\w.:[\]-]+\/?$/i.test(source)) return false;
  return URL.canParse(source);
}

function isName(name: unknown): boolean {
  return typeof name === "string" && name.trim() !== "" && Array.from(name).length <= longestName;
}

function isLink(given: unknown): boolean {
  return typeof given === "string" && /^(?:https?:\/\/|mailto:|\/(?!\/)|#)/i.test(given);
}
