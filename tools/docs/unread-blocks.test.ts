import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

import { variablesOf } from "../../packages/latchkey/src/config/connection-variables.ts";
import { settingDefinitions } from "../../packages/latchkey/src/config/setting-definitions.ts";

const root = path.join(import.meta.dirname, "../..");
const pages = globSync(["README.md", "{packages,examples}/*/README.md", "docs/**/*.md"], {
  cwd: root,
});

interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

const blocks: readonly Block[] = pages.flatMap((page) => {
  const source = readFileSync(path.join(root, page), "utf8");
  return [...source.matchAll(/^ *```(\w+).*\n([\s\S]*?)^ *```$/gm)].map(
    ([, language = "", text = ""]) => ({ page, language, text }),
  );
});
const inLanguage = (name: string) => blocks.filter(({ language }) => language === name);

/** How many blocks no tool reads: parts of other files, mostly. */
const unread: Readonly<Record<string, number>> = {
  css: 4,
  dockerfile: 1,
  html: 8,
  js: 4,
  jsonl: 1,
  nginx: 5,
  sql: 1,
  svelte: 1,
  text: 3,
  yaml: 3,
};
/** The compiler, the conformance apps, the tests of the reference and the ones below read these. */
const read = ["astro", "json", "sh", "ts", "tsx", "typescript", "vue"];

test("all but a few blocks of the docs are compiled, compared or checked", () => {
  const counts = Map.groupBy(blocks, ({ language }) => language);
  const more = [...counts].filter(
    ([language, { length }]) => !read.includes(language) && length > (unread[language] ?? 0),
  );
  expect(more.map(([language, all]) => [language, all.length])).toEqual([]);
});

test.each(inLanguage("json"))("the JSON in $page can be parsed", ({ text }) => {
  expect(() => JSON.parse(text)).not.toThrow();
});

const commands: readonly RegExp[] = [
  /^(?:cd|curl|docker|for|gh|grep|helm|kubectl|ls|mkcert|node|ory|pnpm|vercel|xargs) /,
  /^npm (?:i|install|pkg|run|start|test|un)\b/,
  /^npx latchkey (?:--version|check|connect|doctor|explain|init|move|provider|store)\b/,
  /^(?:source <\()?latchkey completion (?:bash|fish|zsh)\b/,
  /^npx (?:create-next-app@latest|degit|shadcn@latest) /,
  /^[A-Z][A-Z_]*=/,
  /^#/,
];

test.each(inLanguage("sh"))("the commands in $page are known ones", ({ text }) => {
  const unknown = linesOf(text).filter((line) => !commands.some((each) => each.test(line)));
  expect(unknown).toEqual([]);
});

/** The first lines of commands: a value in quotation marks and a `\` go on. */
function linesOf(text: string): readonly string[] {
  return text
    .replaceAll(/\\\n/g, " ")
    .replaceAll(/'[^']*'/g, "''")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

test("every variable in the docs is one that the sources read", () => {
  const sources = globSync(["packages/*/src/**/*.ts", "apps/web/src/**/*.ts"], { cwd: root });
  const named = sources
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => variablesIn(readFileSync(path.join(root, file), "utf8")));
  const known = new Set([
    ...named,
    ...settingDefinitions.map(({ variable }) => variable),
    // As the docs call the connections of customers.
    ...variablesOf(["acme", "globex"]).map(({ name }) => name),
  ]);
  const used = inLanguage("sh").flatMap(({ text }) => variablesIn(text));
  const unknown = used.filter((name) => !known.has(name.replace(/_FILE$/, "")));
  expect([...new Set(unknown)]).toEqual([]);
});

function variablesIn(text: string): readonly string[] {
  return text.match(/\bLATCHKEY_[A-Z_]*[A-Z]\b/g) ?? [];
}
