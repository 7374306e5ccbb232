import format, { type CompiledMessage } from "icu-minify/format";

import { dateTimeFormat, keepFormatters } from "./formatters.ts";
import type { MessageKey } from "./languages.ts";

export type { CompiledMessage };

/** What the arguments of a message are filled with. */
export type Values = Readonly<Record<string, string | number>>;

/** What the tags of a message (`<b>…</b>`) become. */
export type Tags<Element> = Readonly<Record<string, (content: string) => Element>>;

/** The words of one language, for one person. */
export interface Words {
  /** For `lang`, e.g. `de`. */
  readonly language: string;
  /** For dates and numbers, e.g. `de-AT`. */
  readonly locale: string;
  readonly direction: "ltr" | "rtl";
  /**
   * A message without tags, as text.
   *
   * @throws Error where a value is missing.
   */
  text(key: MessageKey, values?: Values): string;
  /** A message with tags, in pieces: strings, and what the tags became. */
  pieces<Element>(key: MessageKey, tags: Tags<Element>, values?: Values): (string | Element)[];
}

/** Where messages come from: compiled on the server, taken out of the page in the browser. */
export type MessageSource = (key: MessageKey) => CompiledMessage;

/** Speaks one language. Needs no parser, so that the same code serves server and browser. */
export function createWords(language: string, locale: string, source: MessageSource): Words {
  const pieces: Words["pieces"] = (key, tags, values) => {
    const rendered = format(
      source(key),
      locale,
      { ...values, ...tagHandlers(tags) },
      { formatters },
    );
    return Array.isArray(rendered) ? rendered : [rendered];
  };
  return {
    language,
    locale,
    direction: source("language.direction") === "rtl" ? "rtl" : "ltr",
    text: (key, values) => pieces<string>(key, {}, values).join(""),
    pieces,
  };
}

function tagHandlers<Element>(tags: Tags<Element>) {
  return Object.fromEntries(
    Object.entries(tags).map(([name, render]) => [
      name,
      (content: (string | Element)[]) => render(content.join("")),
    ]),
  );
}

const formatters = {
  getDateTimeFormat: dateTimeFormat,
  getNumberFormat: keepFormatters(
    (...given: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...given),
  ),
  getPluralRules: keepFormatters(
    (...given: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...given),
  ),
};
