import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { createVocabulary } from "../messages/compiled-words.ts";
import { htmlOf } from "./document-parts.ts";
import { type DocumentContent, documentMaker, MarkedDocument } from "./document.tsx";

const words = createVocabulary({
  app: "Harbour",
  provider: "Example ID",
  host: "localhost",
}).wordsFor("de");
const kind = {
  icon: "/favicon.svg",
  style: "a{color:red}",
  inlineScript: "void 0",
  module: "/assets/watch.js",
  passing: ["notice"],
};
const content: DocumentContent = {
  locale: "de-AT",
  title: 'Ada & "<Lovelace>"',
  now: 1_780_000_000,
  body: "<p>Hello</p>",
  boot: '{"name":"</script>"}',
};
const make = documentMaker(renderToStaticMarkup(<MarkedDocument words={words} kind={kind} />));

test("style and scripts stand in the parts that are compressed once", () => {
  const { before, own, after } = make(content);
  expect(before.html).toContain(kind.style);
  expect(after.html).toContain(kind.inlineScript);
  expect(after.html).toContain(kind.module);
  expect(own).not.toContain(kind.style);
});

test("a document has each text of its page once, and no place is left open", () => {
  const html = htmlOf(make(content));
  expect(html).toContain("<title>Ada &amp; &quot;&lt;Lovelace&gt;&quot;</title>");
  expect(html).toContain('data-locale="de-AT" data-now="1780000000"');
  expect(html.split("<p>Hello</p>")).toHaveLength(2);
  expect(html.split(String.raw`{"name":"\u003c/script>"}`)).toHaveLength(2);
  expect(html).not.toMatch(/[\uE000-\uF8FF]/);
});
