import format from "icu-minify/format";

import { keepLatest } from "./keep-latest.ts";
import type { Catalogue, Message, MessageKey } from "./catalogue.ts";

/** Values for the arguments of a message; `undefined` for arguments it does not have. */
export type Values = Readonly<Record<string, string | number | undefined>>;

/** What the tags of a message (`<b>…</b>`) become, given what stands between them. */
export type Tags<Element> = Readonly<Record<string, (content: (string | Element)[]) => Element>>;

/** What every message may name: `{app}`, `{provider}` and `{host}` fill themselves. */
export interface Names {
  readonly app: string;
  /** Display name of the provider; without one, the message that describes it. */
  readonly provider: string | { readonly message: "provider.local" | "provider.unknown" };
  /** Host of the app, with its port if it has one. */
  readonly host: string;
}

/** The words of one language, for one person. */
export interface Words {
  /** For `lang`, e.g. `de`. */
  readonly language: string;
  /** For dates and numbers, e.g. `de-AT`. */
  readonly locale: string;
  readonly direction: "ltr" | "rtl";
  /** The names as this language says them. */
  readonly names: Readonly<Record<keyof Names, string>>;
  /**
   * A message without tags, as text. Without values it is formatted once.
   *
   * @throws Error if a value is missing
   */
  text(key: MessageKey, values?: Values): string;
  /** A message with tags, in pieces: strings, and what the tags became. */
  pieces<Element>(key: MessageKey, tags: Tags<Element>, values?: Values): (string | Element)[];
}

interface WordsOptions extends Pick<Words, "language" | "locale"> {
  readonly names: Names;
  readonly catalogue: Catalogue;
}

/** Speaks one language. */
export function createWords({ language, locale, names: given, catalogue }: WordsOptions): Words {
  const fixed = new Map<MessageKey, string>();
  const names = namesIn(given, catalogue);
  const pieces: Words["pieces"] = (key, tags, values) => {
    const filled = { ...names, ...values, ...tags };
    const rendered = format(catalogue[key], locale, filled, { formatters });
    const all = Array.isArray(rendered) ? rendered : [rendered];
    return given.provider === names.provider ? all : capitalize(all, names.provider);
  };
  const text = (key: MessageKey, values?: Values) => pieces<string>(key, {}, values).join("");
  const fixedText = (key: MessageKey): string => {
    const known = fixed.get(key) ?? text(key);
    fixed.set(key, known);
    return known;
  };
  return {
    language,
    locale,
    direction: catalogue["language.direction"] === "rtl" ? "rtl" : "ltr",
    names,
    text: (key, values) => (values === undefined ? fixedText(key) : text(key, values)),
    pieces,
  };
}

function namesIn(names: Names, catalogue: Catalogue): Words["names"] {
  const { provider } = names;
  return {
    ...names,
    provider: typeof provider === "string" ? provider : plain(catalogue[provider.message]),
  };
}

function plain(message: Message): string {
  if (typeof message !== "string") throw new TypeError("A name has neither arguments nor tags.");
  return message;
}

/**
 * A description in place of a name ("the local test provider") gets a capital at the start of a
 * sentence.
 */
function capitalize<Element>(
  pieces: readonly (string | Element)[],
  name: string,
): (string | Element)[] {
  const capital = name.charAt(0).toLocaleUpperCase() + name.slice(1);
  return pieces.map((piece, place) => {
    if (typeof piece !== "string") return piece;
    const starts = place === 0 && piece.startsWith(name);
    const text = starts ? capital + piece.slice(name.length) : piece;
    return text.replaceAll(`. ${name}`, `. ${capital}`);
  });
}

/*
 * To create a formatter takes many times as long as to use it, and leaves much memory outside of
 * the heap.
 */
const formatters = {
  getDateTimeFormat: keepLatest(
    (...given: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
      new Intl.DateTimeFormat(...given),
  ),
  getNumberFormat: keepLatest(
    (...given: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...given),
  ),
  getPluralRules: keepLatest(
    (...given: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...given),
  ),
};
