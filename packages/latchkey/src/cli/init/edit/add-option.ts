import type { Project } from "../project.ts";
import { alreadyThere, changeFile, type Step } from "../step.ts";
import { endOfImports, indentOf, insert, type Insertion, inStyleOf } from "./insert.ts";
import { maskCode } from "./mask-code.ts";

/** An option of a configuration. */
export interface AddedOption {
  readonly name: string;
  readonly lines: string;
  /** The file has it already. */
  readonly done: RegExp;
  /** Why the file needs it. */
  readonly reason: string;
  readonly imports?: string;
  /** The element to add to the list, if the file has the option already. */
  readonly element?: string;
}

/** The object of options in a call `defineConfig({ … })`. */
const ofDefineConfig = /\bdefineConfig\(\{/;

/**
 * Adds options at the top of an object in a configuration, unless the file names one of them in
 * another way.
 *
 * @param opening - the code up to the brace of the object, or up to the bracket of a call without
 *   arguments
 */
export function addOptions(
  project: Project,
  path: string,
  options: readonly AddedOption[],
  opening = ofDefineConfig,
): Step {
  const before = project.read(path) ?? "";
  const missing = options.filter(({ done }) => !done.test(before));
  const [first] = missing;
  if (first === undefined) return { kind: "skip", path, reason: alreadyThere };
  const masked = maskCode(before);
  const start = opening.exec(masked);
  const lists = missing.map((option) => startOfList(masked, option));
  const isNamed = ({ name }: AddedOption, place: number) =>
    lists[place] === null && new RegExp(String.raw`\b${name}\s*:`).test(masked);
  if (start === null || missing.some(isNamed)) {
    const lines = missing.map(({ imports = "", lines: own }) => imports + own).join("");
    return { kind: "blocked", path, reason: first.reason, lines };
  }
  return changeFile(path, before, (text) => {
    const shift = before.length - text.length;
    const whole = missing.filter((_, place) => lists[place] === null);
    const elements = missing.flatMap(({ element = "" }, place) => {
      const offset = lists[place] ?? null;
      return offset === null ? [] : [elementAt(text, offset - shift, element)];
    });
    const imports = missing.map((each) => each.imports ?? "").join("");
    return insert(text, [
      { offset: endOfImports(text), text: inStyleOf(text, imports) },
      ...(whole.length === 0
        ? []
        : [optionsAt(text, start.index + start[0].length - shift, whole)]),
      ...elements,
    ]);
  });
}

/** Returns the offset in the list of an option which the file has; `null` without such a list. */
function startOfList(masked: string, { name, element }: AddedOption): number | null {
  if (element === undefined) return null;
  const list = new RegExp(String.raw`\b${name}\s*:\s*\[`).exec(masked);
  return list === null ? null : list.index + list[0].length;
}

function elementAt(text: string, offset: number, element: string): Insertion {
  const rest = /^\s*\]/.test(text.slice(offset)) ? "" : ", ";
  return { offset, text: element + rest };
}

function optionsAt(text: string, offset: number, options: readonly AddedOption[]): Insertion {
  const { line, unit } = indentOf(text, offset);
  const lines = options.map((each) => each.lines.trimEnd()).join("\n");
  const indented = lines
    .replaceAll(/^(?: {2})+/gm, (spaces) => unit.repeat(spaces.length / 2))
    .replaceAll(/^/gm, line + unit);
  const added = inStyleOf(text, `\n${indented}`);
  if (text[offset] === ")") return { offset, text: `{${added}\n${line}}` };
  return { offset, text: text[offset] === "}" ? `${added}\n${line}` : added };
}
