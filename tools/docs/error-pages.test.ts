import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

import {
  causesFile,
  causesOf,
  causesOfAll,
  errorIndex,
  errorPage,
  errorPageFile,
  errorPageHead,
  listedReasons,
  writtenPart,
} from "./error-pages.ts";

const folder = path.join(import.meta.dirname, "../../docs/errors");
/** Without the line breaks, which the formatter chooses. */
const words = (text: string) => text.replaceAll(/\s+/g, " ");

describe("each reason of a refusal has a page", () => {
  test.each(listedReasons)("%s has a page whose head is up to date [FH-072]", (reason) => {
    const file = errorPageFile(reason);
    expect(existsSync(file), "npm run docs makes this page").toBe(true);
    expect(words(readFileSync(file, "utf8"))).toContain(words(errorPageHead(reason)));
  });

  test("no page of an error describes a reason that does not exist", () => {
    const named = readdirSync(folder).map((name) => name.replace(/\.md$/, ""));
    expect(named.filter((name) => name !== "README").toSorted()).toEqual(listedReasons.toSorted());
  });

  test("the list of errors has every reason", () => {
    const list = readFileSync(path.join(folder, "README.md"), "utf8");
    expect(words(list)).toBe(words(errorIndex()));
  });
});

describe("the causes that latchkey explain prints", () => {
  test("are those of the pages [FH-072]", () => {
    const causes: unknown = JSON.parse(readFileSync(causesFile, "utf8"));
    expect(causes, "npm run docs makes this file").toEqual(causesOfAll());
  });

  test("have a line each, and whole addresses", () => {
    const page =
      "# x\n\n## Causes and remedies\n\n1. **One\n   cause.** See\n   [CDN](../recipes/cdn.md#a).\n2. **Two.**\n\nMore.\n";
    const address = "https://latchkey-auth.github.io/latchkey/recipes/cdn#a";
    expect(causesOf(page)).toBe(`1. One cause. See CDN (${address}).\n2. Two.\nMore.`);
  });
});

describe("a page of an error that is made anew", () => {
  test("keeps what is written by hand", () => {
    const written = "The cause is a clock.\n\n- One remedy\n\n## More\n";
    const former = `# not_found\n\n**An old text.**\n\n- Code: \`X\`\n- Status: 1\n\n${written}`;
    expect(writtenPart(former)).toBe(written);
    expect(errorPage("not_found", former)).toBe(`${errorPageHead("not_found")}\n${written}`);
  });

  test("has an advice if no text was written yet", () => {
    expect(errorPage("not_found", null)).toContain("reference");
  });
});
