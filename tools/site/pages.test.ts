import path from "node:path";
import { expect, test } from "vitest";

import { llmsText } from "./llms.ts";
import { pageOf, readPages } from "./pages.ts";
import { redirects } from "./redirects.ts";
import { fillGroups } from "./sidebar.ts";

const pages = readPages(path.join(import.meta.dirname, "../.."));
const ids = pages.map(({ id }) => id);

test("a page has the title and the first sentences of its file", () => {
  const text =
    "# A `title`\n\n```sh\nnpm i\n```\n\nThe *first* [words](a.md),\nand more.\n\n## B\n";
  expect(pageOf("guides/a", "docs/guides/a.md", text)).toMatchObject({
    title: "A title",
    description: "The first words, and more.",
    body: expect.stringMatching(/^\n```sh[\s\S]*\[words\]\(\/latchkey\/guides\/a\/\)/),
  });
});

test("no two pages of the site have the same title", () => {
  const titles = pages.map(({ title }) => title);
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
});

test("every page of the site has a title and a description", () => {
  const lacking = pages.filter(({ id, title, description }) => title === id || description === "");
  expect(lacking.map(({ file }) => file)).toEqual([]);
});

test("every page of the site is in the sidebar once", () => {
  const listed = fillGroups(ids).flatMap((group) => group.pages);
  expect(listed.toSorted()).toEqual(ids.filter((id) => id !== "index"));
});

test("llms.txt names every page and has at most 50 kB", () => {
  const text = llmsText(pages, fillGroups(ids), "0.1");
  expect(ids.filter((id) => id !== "index" && !text.includes(`/latchkey/${id}.md)`))).toEqual([]);
  expect(Buffer.byteLength(text)).toBeLessThan(50_000);
});

test("every redirect leads from an address without a page to a page", () => {
  expect(Object.values(redirects).filter((id) => !ids.includes(id))).toEqual([]);
  expect(Object.keys(redirects).filter((id) => ids.includes(id))).toEqual([]);
});
