import { english } from "./languages/en.ts";
import { languages } from "./languages.ts";
import type { Speech } from "./words.ts";

/** The languages of a request, and whose words they are. */
export interface LanguageWishes {
  /** Tags in order, separated by spaces (OpenID Connect Core, section 3.1.2.1). It counts first. */
  readonly uiLocales?: unknown;
  /** RFC 9110, section 12.5.4. */
  readonly acceptLanguage?: string | undefined;
  readonly customer?: string | undefined;
}

/** Chooses the first supported language of the request, by primary tag, or else English. */
export function chooseSpeech({ uiLocales, acceptLanguage = "", customer }: LanguageWishes): Speech {
  const wanted = typeof uiLocales === "string" ? uiLocales.split(" ") : [];
  for (const tag of [...wanted, ...tagsByWeight(acceptLanguage)]) {
    const found = [...languages].find(([known]) => primary(known) === primary(tag));
    if (found !== undefined) return { language: found[0], words: found[1], customer };
  }
  return { language: "en", words: english, customer };
}

function primary(tag: string): string {
  return tag.trim().split("-", 1).join("").toLowerCase();
}

function tagsByWeight(header: string): string[] {
  return header
    .split(",")
    .map((part) => {
      const [tag = "", weight = "q=1"] = part.split(";").map((piece) => piece.trim());
      return { tag, weight: Number(weight.replace(/^q=/u, "")) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}
