/**
 * Brings the pages of `docs/errors` up to date with the catalogue of the engine: the head of each
 * page comes from the catalogue, the rest is written by hand. A reason without a page gets one.
 * `latchkey explain` prints what the pages say of causes.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import type { Reason } from "../../packages/latchkey/src/errors/reasons.ts";
import { formerReasons } from "../../packages/latchkey/src/errors/former-reasons.ts";
import {
  codeOf,
  isTokenReason,
  reasons,
  textOf,
} from "../../packages/latchkey/src/errors/reasons.ts";
import { kindsOf } from "../../packages/latchkey/src/errors/token-reasons.ts";
import { problemWords } from "../../packages/latchkey/src/routes/problem-words.ts";

const folder = path.join(import.meta.dirname, "../../docs/errors");

export const listedReasons = Object.keys(reasons) as readonly Reason[];

export function errorPageFile(reason: Reason): string {
  return path.join(folder, `${reason}.md`);
}

/** What the catalogue says of a reason. */
export function errorPageHead(reason: Reason): string {
  const { status, page } = reasons[reason];
  const [title] = problemWords[page];
  const lines = [
    `- Code: \`${codeOf(reason)}\``,
    `- Status: ${status}`,
    `- The user reads: "${title}"`,
    ...kindLine(reason),
    ...formerNamesLine(reason),
  ];
  return `# ${reason}

${textsOf(reason)
  .map((text) => `**${text}**\n`)
  .join("\n")}
${lines.join("\n")}
`;
}

/** The text, or those of all kinds of token. */
function textsOf(reason: Reason): readonly string[] {
  if (!isTokenReason(reason)) return [textOf(reason)];
  return [...new Set(kindsOf(reason).map((kind) => textOf(reason, kind)))];
}

/** The values of `kind` in the log. */
function kindLine(reason: Reason): readonly string[] {
  if (!isTokenReason(reason)) return [];
  const kinds = kindsOf(reason).map((kind) => `\`${kind}\``);
  return [`- \`kind\` in the log: ${kinds.join(", ")}`];
}

/** The names of earlier versions, by which people search. */
function formerNamesLine(reason: Reason): readonly string[] {
  const names = [...formerReasons].flatMap(([name, now]) =>
    now.reason === reason ? [`\`${name}\``] : [],
  );
  return names.length === 0 ? [] : [`- Former names: ${names.join(", ")}`];
}

/** Replaces the head of a page, and keeps what is written by hand. */
export function errorPage(reason: Reason, former: string | null): string {
  const written = former === null ? defaultText : writtenPart(former);
  return `${errorPageHead(reason)}\n${written}`;
}

/** What follows the list at the head of a page. */
export function writtenPart(page: string): string {
  return /^- .*\n(?:[- ] .*\n)*\n([\s\S]+)$/m.exec(page)?.[1] ?? defaultText;
}

const defaultText = `Look up the reference of the page in the log. The line has a \`detail\` with what was expected and what
came.
`;

const site = "https://latchkey-auth.github.io/latchkey";

/** The causes and remedies of a page, for a terminal: a line each, with whole addresses. */
export function causesOf(page: string): string {
  const [, section = ""] = page.split("\n## Causes and remedies\n");
  return section
    .trim()
    .replaceAll(/(?<!\n)\n(?!\n|\d+\. )\s*/g, " ")
    .replaceAll("\n\n", "\n")
    .replaceAll("**", "")
    .replaceAll(/\[([^\]]+)\]\(([^)]+)\.md([^)]*)\)/g, (_, words, file, anchor) => {
      const { pathname } = new URL(file, "https://site/errors/");
      return `${words} (${site}${pathname}${anchor})`;
    });
}

export const causesFile = path.join(
  import.meta.dirname,
  "../../packages/latchkey/src/cli/explain/causes.json",
);

/** The causes of every reason. */
export function causesOfAll(): Readonly<Record<string, string>> {
  const entries = listedReasons.map((reason) => [
    reason,
    causesOf(readFileSync(errorPageFile(reason), "utf8")),
  ]);
  return Object.fromEntries(entries);
}

/** The page with all reasons. */
export function errorIndex(): string {
  const rows = listedReasons.map((reason) => {
    return `- [\`${reason}\`](${reason}.md) (${reasons[reason].status}): ${textOf(reason)}`;
  });
  return `# Errors

A page of Latchkey that reports a problem shows a reference, such as \`7F3K-92QD\`. The line of the log
with this reference names one of these reasons, and \`detail\` says what was expected and what came.
The \`kind\` of a reason \`token_…\` says which token it was.
In development, the page links to the [sign-in step by step](../guides/debugging.md).

${rows.join("\n")}
`;
}

if (import.meta.main) {
  for (const reason of listedReasons) {
    const file = errorPageFile(reason);
    const former = existsSync(file) ? readFileSync(file, "utf8") : null;
    writeFileSync(file, errorPage(reason, former));
  }
  writeFileSync(path.join(folder, "README.md"), errorIndex());
  writeFileSync(causesFile, `${JSON.stringify(causesOfAll(), null, 2)}\n`);
}
