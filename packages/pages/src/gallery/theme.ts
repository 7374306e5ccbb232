import { pagesForms } from "../hosted/settings.ts";
import { type Brand, brandColors, type ColorPair, readableBrand } from "../rendering/brand.ts";

/** How the app looks without a theme. */
export interface AppLook {
  readonly name: string;
  readonly brand: Brand;
}

/** The fields of the bench, by their names in the query. */
const themeFields = ["name", "accent", "radius", "logo", "lang", "scheme"] as const;

type Entered = Readonly<Record<(typeof themeFields)[number], string>>;

/** What the bench shows the screens with. */
export interface Theme {
  /** The text of each field. */
  readonly entered: Entered;
  /** One sentence for each field that cannot be used. */
  readonly faults: readonly string[];
  /** What can be used; the look of the app stands in for the rest. */
  readonly settings: {
    readonly name: string;
    readonly radius: number;
    readonly logo: string | undefined;
  };
  /** The accent as chosen. */
  readonly accent: ColorPair;
  /** What the pages use: the accent can be read. */
  readonly brand: Brand;
}

const usualRadius = 6;

/** Reads the theme of a query. An absent or empty field is as in the app. */
export function readTheme(query: URLSearchParams, { name, brand }: AppLook): Theme {
  const { accent: usualAccent = brandColors.accent } = brand.colors;
  const usualTexts: Partial<Entered> = {
    name,
    accent: pairText(usualAccent),
    radius: String(brand.radius ?? usualRadius),
  };
  const textOf = (field: keyof Entered) => query.get(field)?.trim() || (usualTexts[field] ?? "");
  const entered = Object.fromEntries(themeFields.map((each) => [each, textOf(each)])) as Entered;
  const given = settingsOf(entered);
  const checked = (["name", "accent", "radius", "logo"] as const).filter(
    (each) => given[each] !== undefined,
  );
  const wrong = checked.filter((each) => pagesForms[each].isGood?.(given[each]) !== true);
  const isUsable = (field: (typeof checked)[number]) => !wrong.includes(field);
  const isOwnAccent = entered.accent !== usualTexts.accent && isUsable("accent");
  const [light = "", dark = light] = [given.accent].flat();
  const accent: ColorPair = isOwnAccent ? [light, dark] : usualAccent;
  const radius = isUsable("radius") ? given.radius : Number(usualTexts.radius);
  return {
    entered,
    faults: wrong.map((each) => `The ${each} ${pagesForms[each].expected}.`),
    settings: {
      name: isUsable("name") ? entered.name : name,
      logo: isUsable("logo") ? given.logo : undefined,
      radius,
    },
    accent,
    brand: {
      ...brand,
      radius,
      ...(isOwnAccent && readableBrand(accent, brand.colors)),
    },
  };
}

/** A pair as one text: a single color if both are the same. */
export function pairText([light, dark]: ColorPair): string {
  return light === dark ? light : `${light} ${dark}`;
}

function settingsOf({ name, accent, radius, logo }: Entered) {
  const [light = "", dark, ...more] = accent.split(/[\s,]+/);
  const isPair = dark !== undefined && more.length === 0;
  return {
    name,
    accent: isPair ? ([light, dark] as const) : accent,
    radius: Number(radius),
    logo: logo === "" ? undefined : logo,
  };
}
