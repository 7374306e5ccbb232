import { escapeHTML } from "../../http/escape-html.ts";

/** HTML that a template inserts unescaped. */
export interface Markup {
  readonly markup: string;
}

type Value = string | number | Markup | readonly Markup[] | undefined;

function render(value: Value): string {
  if (value === undefined) return "";
  if (typeof value === "string") return escapeHTML(value);
  if (typeof value === "number") return String(value);
  if ("markup" in value) return value.markup;
  return value.map((part) => part.markup).join("");
}

/** A template tag: values are escaped unless they are markup themselves. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const markup = strings.reduce((text, part, i) => text + render(values[i - 1]) + part);
  return { markup };
}

/** Marks text as HTML. Only for constants of this package. */
export function asMarkup(markup: string): Markup {
  return { markup };
}

/** A sentence with its `{names}` filled in: each in an element of its own, whatever its direction. */
export function fill(sentence: string, names: Readonly<Record<string, string>>): Markup {
  const parts = sentence.split(/\{(\w+)\}/u).map((part, place) => {
    return place % 2 === 0 ? html`${part}` : html`<bdi>${names[part]}</bdi>`;
  });
  return html`${parts}`;
}

/** The same as plain text, for a title. */
export function fillText(sentence: string, names: Readonly<Record<string, string>>): string {
  return sentence.replaceAll(/\{(\w+)\}/gu, (whole, name: string) => names[name] ?? whole);
}
