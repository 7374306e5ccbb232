import type { Node } from "./syntax.ts";

/** What a person has to do, and the page that says how. */
export interface ToDo {
  readonly path: string;
  readonly line: number;
  readonly what: string;
  /** Below the site, with the heading. */
  readonly page: string;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A file of the app while it is rewritten. */
export interface Draft {
  readonly path: string;
  readonly code: string;
  readonly program: Node;
  /** Replaces a part of the code. Parts must not overlap. */
  replace(part: Pick<Edit, "end" | "start">, text: string): void;
  /** Leaves a part of the code to a person. */
  leave(part: Pick<Node, "start">, what: string, page: string): void;
  /** The code with all replacements, and the line ends it had. */
  text(): string;
  toDo(): readonly ToDo[];
}

export function createDraft(path: string, code: string, program: Node): Draft {
  const edits: Edit[] = [];
  const left: ToDo[] = [];
  const lineEnd = code.includes("\r\n") ? "\r\n" : "\n";
  return {
    path,
    code,
    program,
    replace: ({ start, end }, text) => void edits.push({ start, end, text }),
    leave({ start }, what, page) {
      const line = code.slice(0, start).split("\n").length;
      if (!left.some((each) => each.line === line && each.what === what))
        left.push({ path, line, what, page });
    },
    text() {
      const edited = edits
        .toSorted((one, other) => one.start - other.start || one.end - other.end)
        .reduceRight(
          (text, { start, end, text: inserted }) =>
            text.slice(0, start) + inserted.replaceAll("\n", lineEnd) + text.slice(end),
          code,
        );
      // The first imports may be gone, with what was before the first line that stays.
      return /^\s/.test(code) ? edited : edited.trimStart();
    },
    toDo: () => left,
  };
}

/** A statement with the rest of its line, so that no empty line is left. */
export function wholeLine({ code }: Draft, { start, end }: Node): { start: number; end: number } {
  const [rest = ""] = /^[ \t]*(?:\r?\n)?/.exec(code.slice(end)) ?? [];
  return { start, end: end + rest.length };
}

/** The line break and the indentation before a place in the code. */
export function lineStart({ code }: Draft, { start }: Pick<Node, "start">): string {
  const line = code.slice(code.lastIndexOf("\n", start - 1) + 1, start);
  return `\n${/^[ \t]*/.exec(line)?.[0] ?? ""}`;
}

/** Quotes a text as the file does. */
export function quote({ code }: Draft, text: string): string {
  const count = (mark: string) => code.split(mark).length;
  return count("'") > count('"') ? `'${text}'` : `"${text}"`;
}
