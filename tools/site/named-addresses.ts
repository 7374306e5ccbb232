/** The addresses of the site that files of the repository name. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

import { base, origin } from "./addresses.ts";

/**
 * Returns the addresses of the site in a text, with their anchors. One with a variable part is left
 * out.
 *
 * @param text - any source or document
 */
export function addressesIn(text: string): readonly string[] {
  const site = (origin + base).replaceAll(".", "\\.");
  const found = text.matchAll(new RegExp(`${site}[\\w./-]*(?:#[\\w-]*)?(\\$?\\{)?`, "g"));
  return [...found]
    .filter(([, variable]) => variable === undefined)
    .map(([address]) => address.replace(/\.$/, ""));
}

/** Returns the pages that code names without the site, such as `moving/authjs`. */
export function pagesIn(source: string): readonly string[] {
  const found = source.matchAll(
    /(?<!from )"((?:guides|moving|recipes)\/[a-z\d-]+(?:#[a-z\d-]+)?)"/g,
  );
  return Array.from(found, ([, page = ""]) => page);
}

/**
 * Returns every address of the site that a file under version control names, sorted.
 *
 * @param root - folder of the repository
 */
export function namedAddresses(root: string): readonly string[] {
  const inTexts = textsWith(root, origin + base, ":!*.test.ts").flatMap(addressesIn);
  const inCode = textsWith(root, '"[a-z]*/[a-z0-9#-]*"', "packages/*/src/**", ":!*.test.*")
    .flatMap(pagesIn)
    .map((page) => origin + base + page);
  return [...new Set([...inTexts, ...inCode])].toSorted((a, b) => a.localeCompare(b));
}

function textsWith(root: string, pattern: string, ...files: readonly string[]): readonly string[] {
  const found = execFileSync("git", ["grep", "-l", "-e", pattern, "--", ...files], {
    cwd: root,
    encoding: "utf8",
  });
  const names = found.trim().split("\n");
  return names.map((file) => readFileSync(path.join(root, file), "utf8"));
}
