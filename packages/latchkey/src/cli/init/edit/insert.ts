import { maskCode } from "./mask-code.ts";

/** A text to insert into a file, before the character at an offset. */
export interface Insertion {
  readonly offset: number;
  readonly text: string;
}

/** Inserts texts, with the line ends of the file. Those for one place keep their order. */
export function insert(code: string, insertions: readonly Insertion[]): string {
  const lineEnd = code.includes("\r\n") ? "\r\n" : "\n";
  return insertions
    .toSorted((one, other) => one.offset - other.offset)
    .reduceRight(
      (text, { offset, text: added }) =>
        text.slice(0, offset) + added.replaceAll("\n", lineEnd) + text.slice(offset),
      code,
    );
}

/** Returns the offset after the last import of a module, 0 without one. */
export function endOfImports(code: string): number {
  const imports = /^import\b[^;()]*?(["']) *\1[ \t]*;?[^\S\n]*(?:\r?\n|$)/gm;
  const last = [...maskCode(code).matchAll(imports)].at(-1);
  return last === undefined ? startOf(code) : last.index + last[0].length;
}

/** After a `#!` line and the comments and directives at the top. */
function startOf(code: string): number {
  const top = /^(?:#![^\n]*\n)?(?:["']use strict["'];?[^\S\n]*\r?\n)?/.exec(code);
  return top?.[0].length ?? 0;
}

/** Writes lines in the style of a file: its quotation marks, its semicolons. */
export function inStyleOf(code: string, lines: string): string {
  const masked = maskCode(code);
  const count = (pattern: RegExp) => masked.match(pattern)?.length ?? 0;
  const quoted = count(/'/g) > count(/"/g) ? lines.replaceAll('"', "'") : lines;
  const hasSemicolons = count(/;[^\S\n]*$/gm) > 0;
  return hasSemicolons ? quoted : quoted.replaceAll(/;$/gm, "");
}

/** Returns the indentation of the line at an offset, and one step of it in this file. */
export function indentOf(code: string, offset: number): { line: string; unit: string } {
  const start = code.lastIndexOf("\n", offset - 1) + 1;
  const [line = ""] = /^[ \t]*/.exec(code.slice(start)) ?? [];
  return { line, unit: /^\t/m.test(code) ? "\t" : "  " };
}

/** Returns the offset after the bracket that closes the one at an offset; -1 without one. */
export function afterBracket(masked: string, open: number): number {
  let depth = 0;
  for (let offset = open; offset < masked.length; offset += 1) {
    const character = masked[offset] ?? "";
    if ("([{".includes(character)) depth += 1;
    if (")]}".includes(character)) depth -= 1;
    if (depth === 0) return offset + 1;
  }
  return -1;
}
