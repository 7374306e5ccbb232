/** The pages of the site: the Markdown files of the repository. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

import { extraPages, pageId } from "./addresses.ts";
import { rewriteLinks, toMarkdown, toSite } from "./links.ts";

export interface Page {
  /** `guides/express` for the file `docs/guides/express.md`. */
  readonly id: string;
  /** Path from the root of the repository. */
  readonly file: string;
  readonly title: string;
  /** The first sentences, as plain text. */
  readonly description: string;
  /** The file without its title, with the links of the site. */
  readonly body: string;
  /** The file with links to the other pages as Markdown. */
  readonly markdown: string;
}

/**
 * Reads all pages, sorted by id.
 *
 * @param root - folder of the repository
 */
export function readPages(root: string): readonly Page[] {
  const inFolder = globSync("docs/**/*.md", { cwd: root }).map((file) =>
    file.split(path.sep).join("/"),
  );
  return [...inFolder, ...Object.keys(extraPages)]
    .flatMap((file) => {
      const id = pageId(file);
      if (id === null) return [];
      const page = pageOf(id, file, readFileSync(path.join(root, file), "utf8"));
      return [{ ...page, body: inlineDrawings(page.body, root) }];
    })
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

export function pageOf(id: string, file: string, text: string): Page {
  const source = text.replaceAll("\r\n", "\n");
  const [, heading = id, rest = source] = /^# (.+)\n([\s\S]*)$/.exec(source) ?? [];
  return {
    id,
    file,
    title: plain(heading),
    description: describe(rest),
    body: rewriteLinks(rest, toSite(file)),
    markdown: rewriteLinks(source, toMarkdown(file)),
  };
}

/** The first paragraph of text, cut after about 160 characters. */
function describe(markdown: string): string {
  const blocks = markdown.replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, "").split(/\n\n+/);
  const first = blocks.find((block) => /^[\p{L}`[*]/u.test(block.trim())) ?? "";
  const text = plain(first.replaceAll(/\s+/g, " ").trim());
  if (text.length <= 160) return text;
  const sentence = /^.{60,160}?[.:](?= )/.exec(text)?.[0];
  return sentence ?? `${text.slice(0, 157).replace(/ \S*$/, "")} …`;
}

function plain(markdown: string): string {
  return markdown.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, "");
}

const drawing = /!\[([^\]]*)\]\(\S*\/images\/([\w-]+)\.svg\)/g;

/** A drawing inside the page follows the scheme that the reader has chosen. */
function inlineDrawings(markdown: string, root: string): string {
  return markdown.replaceAll(drawing, (_, alt: string, name: string) => {
    const svg = readFileSync(path.join(root, `docs/images/${name}.svg`), "utf8")
      .replace("<svg ", `<svg role="img" aria-label="${alt.replaceAll('"', "&quot;")}" `)
      .replace(/<style>[\s\S]*?<\/style>/, "")
      .replaceAll(/\bhead\b/g, `head-${name}`)
      .replaceAll(/\n\s*/g, "");
    return `<div class="drawing" tabindex="0">${svg}</div>`;
  });
}
