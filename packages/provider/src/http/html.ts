import { html as escapeValues } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

/** HTML, which a template inserts unescaped. */
export type Markup = HtmlEscapedString;

type Value = string | number | Markup | readonly Markup[] | undefined;

/**
 * A template tag: escapes values unless they are markup. No value is a promise, nor is the result.
 */
export const html = escapeValues as (
  strings: TemplateStringsArray,
  ...values: readonly Value[]
) => Markup;
