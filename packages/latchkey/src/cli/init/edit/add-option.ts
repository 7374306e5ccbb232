import type { Project } from "../project.ts";
import { alreadyThere, changeFile, type Step } from "../step.ts";
import { indentOf, insert, inStyleOf } from "./insert.ts";
import { maskCode } from "./mask-code.ts";

/** An option of a configuration. */
export interface AddedOption {
  readonly name: string;
  readonly lines: string;
  /** The file has it already. */
  readonly done: RegExp;
  /** Why the file needs it. */
  readonly reason: string;
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
  const isNamed = ({ name }: AddedOption) => new RegExp(String.raw`\b${name}\s*:`).test(masked);
  if (start === null || missing.some(isNamed)) {
    const lines = missing.map((each) => each.lines).join("");
    return { kind: "blocked", path, reason: first.reason, lines };
  }
  return changeFile(path, before, (text) => {
    const offset = start.index + start[0].length - (before.length - text.length);
    const { line, unit } = indentOf(text, offset);
    const lines = missing.map((each) => each.lines.trimEnd()).join("\n");
    const indented = lines
      .replaceAll(/^(?: {2})+/gm, (spaces) => unit.repeat(spaces.length / 2))
      .replaceAll(/^/gm, line + unit);
    const added = inStyleOf(text, `\n${indented}`);
    if (text[offset] === ")") return insert(text, [{ offset, text: `{${added}\n${line}}` }]);
    return insert(text, [{ offset, text: text[offset] === "}" ? `${added}\n${line}` : added }]);
  });
}
