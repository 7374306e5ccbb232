import { type Markup, html } from "../../http/html.ts";

/**
 * A sentence with its `{names}` filled in: each in an element of its own, whatever its direction.
 */
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
