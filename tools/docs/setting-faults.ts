/** What is said of invalid settings. */
import { readFileSync } from "node:fs";
import * as v from "valibot";

import { faultOf } from "../../packages/latchkey/src/config/rules/rule.ts";
import { rules } from "../../packages/latchkey/src/config/rules/rules.ts";
import { settingsSchema } from "../../packages/latchkey/src/config/settings-schema.ts";
import { goodSettings } from "../../packages/latchkey/test/settings.ts";

const schema = new URL("../../packages/latchkey/src/config/settings-schema.ts", import.meta.url);

export function faultsByVariable(): ReadonlyMap<string, readonly string[]> {
  const settings = v.parse(settingsSchema, goodSettings);
  const faults = Map.groupBy(
    rules.map((rule) => faultOf(rule, settings)),
    ({ option, variable }) => variable || option,
  );
  return new Map(
    Array.from(faults, ([name, each]) => [
      name,
      each.map(({ message, remedy }) => `${asMarkdown(message)}: ${asMarkdown(remedy)}`),
    ]),
  );
}

/** Returns what is said of values that have the wrong form, whichever setting it is. */
export function faultsOfForm(): readonly string[] {
  const forms = readFileSync(schema, "utf8").matchAll(
    /["`]((?:must|is|has|length|contains) [^"`$]+)(\$?)/g,
  );
  return [
    ...new Set(Array.from(forms, ([, form = "", more]) => `${asMarkdown(form)}${more && "…"}`)),
  ];
}

/** What a sentence takes from good settings may be absent there. */
function asMarkdown(sentence: string): string {
  return sentence
    .replace(/^(?= )|undefined/, "…")
    .replace(/\.$/, "")
    .replaceAll(/[<_*[]/g, String.raw`\$&`);
}
