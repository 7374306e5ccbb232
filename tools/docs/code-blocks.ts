/** The code blocks of a Markdown page, as modules for a compiler. */

export interface CodeModule {
  /** Line of its first block on the page, from 1. */
  readonly line: number;
  readonly extension: "ts" | "tsx";
  /** Each line of code stands in the same line as on the page; all other lines are empty. */
  readonly text: string;
}

interface Fence {
  readonly indentation: string;
  readonly marks: string;
  readonly info: readonly string[];
}

/**
 * Reads the blocks with the fence `ts` or `tsx`. Each is a module of its own, unless its fence has
 * `continues` after the language: then the block before is part of it.
 */
export function codeModules(page: string): CodeModule[] {
  const modules: CodeModule[] = [];
  const lines = page.split("\n");
  let continued: readonly string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const fence = fenceOf(lines[at] ?? "");
    if (!fence) continue;
    const end = endOf(fence, lines, at + 1);
    const [language, ...words] = fence.info;
    if (language === "ts" || language === "tsx") {
      const before = words.includes("continues") ? continued : [];
      const code = lines.slice(at + 1, end).map((line) => withoutIndentation(fence, line));
      continued = [...before, ...Array(at + 1 - before.length).fill(""), ...code];
      modules.push({ line: at + 2, extension: language, text: continued.join("\n") });
    }
    at = end;
  }
  return modules;
}

function fenceOf(line: string): Fence | undefined {
  const [, indentation = "", marks, info = ""] = /^([ >]*)(`{3,}|~{3,})([^`]*)$/.exec(line) ?? [];
  return marks ? { indentation, marks, info: info.trim().split(/\s+/) } : undefined;
}

function endOf({ marks }: Fence, lines: readonly string[], start: number): number {
  const closing = (line: string) => line.replace(/^[ >]+/, "").startsWith(marks);
  const end = lines.findIndex((line, at) => at >= start && closing(line));
  return end < 0 ? lines.length : end;
}

function withoutIndentation({ indentation }: Fence, line: string): string {
  return line.startsWith(indentation) ? line.slice(indentation.length) : line.trimStart();
}
