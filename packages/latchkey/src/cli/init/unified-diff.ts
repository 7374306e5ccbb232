/** A file before and after, by its path from the folder of the project. */
export interface Change {
  readonly path: string;
  /** `null` for a new file. */
  readonly before: string | null;
  /** Empty for a removed file. */
  readonly after: string;
  readonly isRemoved?: boolean;
}

const contextLines = 3;

/** Returns the change as a unified diff with one hunk, which `git apply` accepts. */
export function unifiedDiff({ path, before, after, isRemoved }: Change): string {
  const [old, fresh] = [linesOf(before ?? ""), linesOf(after)];
  let top = 0;
  while (top < old.length && old[top] === fresh[top]) top += 1;
  let bottom = 0;
  const rest = Math.min(old.length, fresh.length) - top;
  while (bottom < rest && old.at(-1 - bottom) === fresh.at(-1 - bottom)) bottom += 1;
  const start = Math.max(0, top - contextLines);
  const end = Math.max(0, bottom - contextLines);
  const removed = old.slice(top, old.length - bottom);
  const added = fresh.slice(top, fresh.length - bottom);
  const hunk = [
    ...old.slice(start, top).map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...old.slice(old.length - bottom, old.length - end).map((line) => ` ${line}`),
  ];
  return [
    `diff --git a/${path} b/${path}\n`,
    ...(before === null ? ["new file mode 100644\n", "--- /dev/null\n"] : []),
    ...(isRemoved === true ? ["deleted file mode 100644\n"] : []),
    ...(before === null ? [] : [`--- a/${path}\n`]),
    isRemoved === true ? "+++ /dev/null\n" : `+++ b/${path}\n`,
    `@@ -${range(start, old.length - end)} +${range(start, fresh.length - end)} @@\n`,
    ...hunk.map((line) => (line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`)),
  ].join("");
}

function range(start: number, end: number): string {
  const length = end - start;
  return `${length === 0 ? start : start + 1},${length}`;
}

/** Lines with their line breaks. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
