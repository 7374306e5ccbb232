import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import { base, origin } from "./addresses.ts";
import type { Page } from "./pages.ts";

const llmsBytesAtMost = 50_000;

/**
 * Returns one line for each page that the built site lacks, as HTML or as Markdown, or whose title
 * does not name the version; and one for an `llms.txt` that is too long.
 */
export function faultsOfBuild(
  folder: string,
  pages: readonly Page[],
  version: string,
): readonly string[] {
  const faults = pages.flatMap(({ id }) => faultsOfPage(folder, id, version));
  const bytes = readFileSync(path.join(folder, "llms.txt")).length;
  if (bytes <= llmsBytesAtMost) return faults;
  return [...faults, `llms.txt has ${bytes} bytes, more than ${llmsBytesAtMost}`];
}

function faultsOfPage(folder: string, id: string, version: string): readonly string[] {
  const html = path.join(folder, id === "index" ? "" : id, "index.html");
  if (!existsSync(html)) return [`${id} was not built`];
  const title = /<title>([^<]*)<\/title>/.exec(readFileSync(html, "utf8"))?.[1] ?? "";
  return [
    ...(title.includes(`Latchkey ${version}`) ? [] : [`${id} has the title "${title}"`]),
    ...(existsSync(path.join(folder, `${id}.md`)) ? [] : [`${id} has no page as Markdown`]),
  ];
}

/**
 * Returns one line for each address that leads to no file of the built site, or to no anchor.
 *
 * @param folder - the built site
 * @param addresses - whole addresses of the site
 */
export function deadAddresses(folder: string, addresses: readonly string[]): readonly string[] {
  return addresses.flatMap((address) => {
    const [target = "", anchor] = address.slice((origin + base).length).split("#");
    const found = [target, path.join(target, "index.html")]
      .map((name) => path.join(folder, name))
      .find((file) => existsSync(file) && statSync(file).isFile());
    if (found === undefined) return [`${address} is no page`];
    if (anchor === undefined || readFileSync(found, "utf8").includes(`id="${anchor}"`)) return [];
    return [`${address} has no such heading`];
  });
}
