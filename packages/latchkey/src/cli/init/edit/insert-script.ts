import { isDeepStrictEqual } from "node:util";

import { parseJSON } from "../../../crypto/json-object.ts";

/**
 * Sets a script in the text of a `package.json`. Order, indentation and line ends stay. Returns
 * `null` if the text has a shape in which this is not certain.
 */
export function insertScript(text: string, name: string, command: string): string | null {
  const expected = withScript(JSON.parse(text) as Manifest, name, command);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
  const entry = `${JSON.stringify(name)}: ${JSON.stringify(command)}`;
  const deep = lineEnd + indent + indent;
  const candidates = [
    text.replace(scriptPattern(name), (_, start: string) => start + entry),
    text.replace(/("scripts"\s*:\s*\{)(?=\s*")/, (start) => `${start}${deep}${entry},`),
    text.replace(
      /("scripts"\s*:\s*\{)\s*\}/,
      (_, start: string) => `${start}${deep}${entry}${lineEnd}${indent}}`,
    ),
    text.replace(
      /^(\s*\{)(?=\s*")/,
      (start) => `${start}${lineEnd}${indent}"scripts": {${deep}${entry}${lineEnd}${indent}},`,
    ),
    `{${lineEnd}${indent}"scripts": {${deep}${entry}${lineEnd}${indent}}${lineEnd}}${lineEnd}`,
  ];
  return candidates.find((candidate) => isDeepStrictEqual(parseJSON(candidate), expected)) ?? null;
}

type Manifest = { scripts?: Record<string, string> };

function withScript(manifest: Manifest, name: string, command: string): Manifest {
  return { ...manifest, scripts: { ...manifest.scripts, [name]: command } };
}

/** The line of a script inside `scripts`. */
function scriptPattern(name: string): RegExp {
  return new RegExp(String.raw`("scripts"\s*:\s*\{[^}]*?)"${name}"\s*:\s*"(?:\\.|[^"\\])*"`);
}
