import { expect, test } from "vitest";

import { linksOf, rewriteLinks, toMarkdown, toSite } from "./links.ts";

const file = "docs/guides/express.md";

test.each([
  ["a page of the same folder", "user.md", "/latchkey/guides/user/"],
  ["a heading of another page", "user.md#types", "/latchkey/guides/user/#types"],
  ["a page of the folder above", "../options.md", "/latchkey/options/"],
  ["the first page of a folder", "../errors/README.md", "/latchkey/errors/"],
  ["the first page", "../README.md", "/latchkey/"],
  ["a page outside the folder of documents", "../../SECURITY.md", "/latchkey/security/"],
  ["the theme bench", "https://latchkey-auth.github.io/latchkey/theme/", "/latchkey/theme/"],
  ["an image", "../images/session.svg", "/latchkey/images/session.svg"],
])("a link to %s leads to its place on the site", (_, link, address) => {
  expect(toSite(file)(link)).toBe(address);
});

test.each([
  ["a decision record", "../decisions/0018-one-middleware.md"],
  ["a file of code", "../../packages/latchkey/src/host/auth.ts"],
])("a link to %s leads to the repository", (_, link) => {
  const path = link.replace("../../", "").replace("../", "docs/");
  const address = `https://github.com/latchkey-auth/latchkey/blob/main/${path}`;
  expect(toSite(file)(link)).toBe(address);
});

test.each(["https://example.com/a.md", "mailto:a@example.com", "#types"])(
  "the link %s stays as it is",
  (link) => {
    expect(toSite(file)(link)).toBe(link);
  },
);

test("a page as Markdown links to other pages as Markdown, with their whole address", () => {
  expect(toMarkdown(file)("user.md#types")).toBe(
    "https://latchkey-auth.github.io/latchkey/guides/user.md#types",
  );
});

test("links in code are no links", () => {
  const page = "[a](a.md) `[b](b.md)`\n\n```md\n[c](c.md)\n```\n\n[d](d.md)\n";
  expect(linksOf(page)).toEqual(["a.md", "d.md"]);
  expect(rewriteLinks(page, () => "x")).toBe(
    "[a](x) `[b](b.md)`\n\n```md\n[c](c.md)\n```\n\n[d](x)\n",
  );
});

test("the address of an image in HTML is a link", () => {
  expect(linksOf('<img src="images/a.png" alt="">')).toEqual(["images/a.png"]);
});
