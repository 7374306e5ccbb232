import { base, markdownAddressOf, origin } from "./addresses.ts";
import type { Page } from "./pages.ts";
import type { Group } from "./sidebar.ts";

/** Every page as Markdown in one text, in the order of the list, for language models. */
export function llmsFullText(pages: readonly Page[], list: readonly Group[]): string {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const ids = ["index", ...list.flatMap((group) => group.pages)];
  return ids.map((id) => byId.get(id)?.markdown.trim() ?? "").join("\n\n---\n\n");
}

/** The list of all pages for language models, as https://llmstxt.org describes it. */
export function llmsText(pages: readonly Page[], list: readonly Group[], version: string): string {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const lineOf = (id: string) => {
    const page = byId.get(id);
    if (!page) throw new Error(`There is no page ${id}.`);
    const about = page.description === "" ? "" : `: ${page.description}`;
    return `- [${page.title}](${origin}${markdownAddressOf(id)})${about}`;
  };
  const sections = list.map(
    ({ label, pages: ids }) => `## ${label}\n\n${ids.map(lineOf).join("\n")}`,
  );
  const intro = `# Latchkey ${version}

> Sign-in for web apps with any OpenID Connect provider: an encrypted cookie session, the routes, the
> screens, and a React layer. For Node, Workers, Deno and Bun.

Each link leads to a page as Markdown. [All of them in one file](${origin}${base}llms-full.txt).`;
  return `${[intro, ...sections].join("\n\n")}\n`;
}
