import type { Project } from "../project.ts";
import { alreadyThere, changeFile, type Step } from "../step.ts";
import { insert, inStyleOf } from "./insert.ts";
import { maskCode } from "./mask-code.ts";

/** An option of a configuration that calls `defineConfig({ … })`. */
export interface AddedOption {
  readonly name: string;
  readonly lines: string;
  /** The file has it already. */
  readonly done: RegExp;
  /** Why the file needs it. */
  readonly reason: string;
}

/** Adds an option at the top of a configuration, unless it names this option already. */
export function addOption(
  project: Project,
  path: string,
  { name, lines, done, reason }: AddedOption,
): Step {
  const before = project.read(path) ?? "";
  if (done.test(before)) return { kind: "skip", path, reason: alreadyThere };
  const masked = maskCode(before);
  const start = /\bdefineConfig\(\{/.exec(masked);
  if (start === null || new RegExp(String.raw`\b${name}\s*:`).test(masked)) {
    return { kind: "blocked", path, reason, lines };
  }
  return changeFile(path, before, (text) => {
    const offset = start.index + start[0].length - (before.length - text.length);
    const isEmpty = text[offset] === "}";
    const added = inStyleOf(text, `\n${lines.trimEnd().replaceAll(/^/gm, "  ")}`);
    return insert(text, [{ offset, text: isEmpty ? `${added}\n` : added }]);
  });
}
