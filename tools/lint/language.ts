import { parseSync, Visitor } from "rolldown/utils";

/** One comment or test title of a file, with the number of its first line. */
export interface Prose {
  readonly kind: "comment" | "title";
  readonly text: string;
  readonly line: number;
}

const maxColumns = 100;
const forbidden = /\b(?:whoever|nobody|somebody|told|tells)\b/gi;

/** Words to use rarely, with the highest number of occurrences per 1,000 words. */
const rates: Readonly<Record<string, { readonly pattern: RegExp; readonly limit: number }>> = {
  where: { pattern: /\bwhere\b/gi, limit: 0.9 },
  ask: { pattern: /\bask(?:s|ed|ing)?\b/gi, limit: 0.3 },
  that: { pattern: /\bthat\b/gi, limit: 12 },
};

/** Reads the comments of a file, and its test titles if it is a test. */
export function readProse(fileName: string, source: string): Prose[] {
  // Only the tests read its `program`, which is made when it is read.
  const parsed = parseSync(fileName, source);
  const lineAt = (offset: number) => source.slice(0, offset).split("\n").length;
  const prose = parsed.comments.map(({ value, start }): Prose => {
    return { kind: "comment", text: value, line: lineAt(start) };
  });
  if (!/\.(?:test|story)\.tsx?$/.test(fileName)) return prose;
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [title], start }) {
      if (!/^(?:it|test|describe)\b/.test(source.slice(callee.start, callee.end))) return;
      if (title?.type !== "Literal" && title?.type !== "TemplateLiteral") return;
      const text = source.slice(title.start + 1, title.end - 1);
      prose.push({ kind: "title", text, line: lineAt(start) });
    },
  });
  visitor.visit(parsed.program);
  return prose;
}

/** Names of functions are verbs: `quote`, not `quoted`. `unauthorized` is the name of a status. */
const participle = /^ *(?:export )?(?:async )?function\*? (?!unauthorized\b)([a-z]+ed)\b/gm;

/** Returns one line per wide comment, forbidden word and function named by a participle. */
export function findFaults(
  fileName: string,
  source: string,
  prose: readonly Prose[] = readProse(fileName, source),
): string[] {
  const lines = source.split("\n");
  const isTest = /\.(?:test|story|support)\.tsx?$|\/(?:test|suite)\//.test(fileName);
  const names = isTest ? [] : Array.from(source.matchAll(participle), ([, name]) => name);
  const named = names.map((name) => `${fileName}: function "${name}" needs a verb`);
  return [...named, ...findProseFaults(fileName, lines, prose)];
}

function findProseFaults(
  fileName: string,
  lines: readonly string[],
  prose: readonly Prose[],
): string[] {
  return prose.flatMap(({ kind, text, line }) => {
    const words = (text.match(forbidden) ?? []).map(
      (word) =>
        `${fileName}:${line}: "${word}" in a ${kind}: name the client, browser, user or function`,
    );
    if (kind === "title") return words;
    const wide = text.split("\n").flatMap((_part, index) => {
      const wholeLine = lines[line - 1 + index] ?? "";
      const width = wholeLine.length;
      return width <= maxColumns || /^\W*https?:\S+$/.test(wholeLine)
        ? []
        : [`${fileName}:${line + index}: comment is ${width} columns wide`];
    });
    return [...words, ...wide];
  });
}

/** Returns one line per overused word of a workspace, comments and titles together. */
export function findOveruse(workspace: string, prose: readonly Prose[]): string[] {
  const text = prose.map((part) => part.text).join("\n");
  const total = text.match(/[a-zA-Z']+/g)?.length ?? 1;
  return Object.entries(rates).flatMap(([word, { pattern, limit }]) => {
    const count = text.match(pattern)?.length ?? 0;
    if ((count * 1000) / total <= limit) return [];
    return [
      `${workspace}: "${word}" occurs ${count} times in ${total} words, limit ${limit} per 1,000`,
    ];
  });
}
