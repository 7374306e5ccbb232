import type { Project } from "./project.ts";
import type { FileChange } from "./write-changes.ts";

/** A part of the plan. */
export type Step =
  | { readonly kind: "change"; readonly change: FileChange; readonly what: string }
  | { readonly kind: "skip"; readonly path: string; readonly reason: string }
  /** `init` cannot do this safely: the user adds the lines. Nothing is written. */
  | {
      readonly kind: "blocked";
      readonly path: string;
      readonly reason: string;
      readonly lines: string;
    }
  | { readonly kind: "note"; readonly text: string };

export const alreadyThere = "already there";

/** Creates a file, unless it exists. An existing file counts as done if it mentions Latchkey. */
export function createFile(project: Project, path: string, content: string): Step {
  const present = samePath(project, path);
  if (present === null) {
    return { kind: "change", change: { path, before: null, after: content }, what: "create" };
  }
  return isDone(project, present)
    ? { kind: "skip", path: present, reason: alreadyThere }
    : { kind: "blocked", path: present, reason: "has other code", lines: content };
}

/** Returns whether a file uses Latchkey already. */
function isDone(project: Project, path: string): boolean {
  const text = project.read(path) ?? "";
  return text.includes("latchkey") || /from ["']\.\/auth["']/.test(text);
}

/** The same file with any extension of JavaScript or TypeScript. */
function samePath(project: Project, path: string): string | null {
  const bare = path.replace(/(?<!\.d)\.[cm]?[jt]sx?$/, "");
  const endings = bare === path ? [""] : [".ts", ".js", ".mts", ".mjs", ".tsx", ".jsx"];
  return endings.map((ending) => bare + ending).find((each) => project.has(each)) ?? null;
}

/** Returns the path of the first file with one of these extensions, or `null`. */
export function firstOf(
  project: Project,
  bare: string,
  extensions: readonly string[],
): string | null {
  return extensions.map((each) => `${bare}.${each}`).find((path) => project.has(path)) ?? null;
}

/** Edits a text behind its byte order mark. */
export function changeFile(path: string, before: string, edit: (text: string) => string): Step {
  const mark = before.startsWith("\uFEFF") ? "\uFEFF" : "";
  const after = mark + edit(before.slice(mark.length));
  return after === before
    ? { kind: "skip", path, reason: alreadyThere }
    : { kind: "change", change: { path, before, after }, what: "change" };
}
