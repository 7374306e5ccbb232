/** The links of a Markdown page, written for the repository, become links of the site. */
import path from "node:path";

import {
  addressOf,
  base,
  markdownAddressOf,
  origin,
  pageId,
  repositoryAddressOf,
} from "./addresses.ts";

type Rewrite = (link: string) => string;

/** Matches code, which is left as it is, or the target of a link or an image. */
const codeOrLink =
  /^(?<fence> *(?:`{3,}|~{3,})).*\n[\s\S]*?^\k<fence> *$|(?<ticks>`+)[^`][\s\S]*?\k<ticks>|(?<=\]\()(?<target>[^)\s]+)(?=\))|(?<=(?:src|srcset|href)=")(?<attribute>[^"]+)(?=")/gm;

/** Returns the page with each target of a link or an image replaced. */
export function rewriteLinks(markdown: string, rewrite: Rewrite): string {
  return markdown.replaceAll(codeOrLink, (found: string, ...rest: unknown[]) => {
    const { target, attribute } = rest.at(-1) as { target?: string; attribute?: string };
    const link = target ?? attribute;
    return link === undefined ? found : rewrite(link);
  });
}

/** Returns the links of a page as they are in its file. */
export function linksOf(markdown: string): readonly string[] {
  const links: string[] = [];
  rewriteLinks(markdown, (link) => (links.push(link), link));
  return links;
}

/** Leads from a file to the pages of the site. */
export function toSite(file: string): Rewrite {
  return rewriteFrom(file, addressOf, base);
}

/** Leads from a file to the pages as Markdown, with the whole address. */
export function toMarkdown(file: string): Rewrite {
  return rewriteFrom(file, (id) => origin + markdownAddressOf(id), origin + base);
}

function rewriteFrom(file: string, toPage: (id: string) => string, root: string): Rewrite {
  return (link) => {
    if (link.startsWith(origin + base)) return root + link.slice((origin + base).length);
    if (/^(?:[a-z]+:|#|\/)/.test(link)) return link;
    const [target = "", anchor] = link.split("#");
    const linked = path.posix.join(path.posix.dirname(file), target);
    const id = pageId(linked);
    const suffix = anchor === undefined ? "" : `#${anchor}`;
    if (id !== null) return toPage(id) + suffix;
    const image = /^docs\/(images\/.+)$/.exec(linked)?.[1];
    return image === undefined ? repositoryAddressOf(linked) + suffix : root + image;
  };
}
