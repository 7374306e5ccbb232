/** The preferences of a person, matched with the available languages. */
export interface LanguageChoice {
  /** Tag of the catalogue, e.g. `de`. */
  readonly language: string;
  /** Tag for dates and numbers, with the region of the browser, e.g. `de-AT`. */
  readonly locale: string;
}

const longestHeader = 500;
const tagPattern = /^([a-z]{2,3})(?:-[a-z]{4})?(-(?:[a-z]{2}|\d{3}))?$/i;

/**
 * The first available language of `Accept-Language` (RFC 9110, 12.5.4), by weight, then by order.
 * Its region makes no difference. Unreadable parts are ignored.
 */
export function chooseLanguage(
  header: string | null | undefined,
  available: ReadonlySet<string>,
  fallback: string,
): LanguageChoice {
  for (const tag of tagsByWeight((header ?? "").slice(0, longestHeader))) {
    const match = tagPattern.exec(tag);
    const language = match?.[1]?.toLowerCase();
    const found = [...available].find((each) => each.split("-", 1)[0] === language);
    if (match === null || language === undefined || found === undefined) continue;
    const region = match[2]?.toUpperCase();
    return { language: found, locale: region === undefined ? usual(language) : language + region };
  }
  return { language: fallback, locale: usual(fallback) };
}

/** Without a region, English dates name the day before the month, which cannot be misread. */
function usual(language: string): string {
  return language === "en" ? "en-GB" : language;
}

function tagsByWeight(header: string): string[] {
  const preferences = header.split(",").map((part) => {
    const [tag = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    return { tag, weight: weight === undefined ? 1 : Number(weight) };
  });
  return preferences
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}
