import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { createVocabulary } from "../messages/vocabulary.ts";
import { languages } from "../messages/languages.ts";
import { type DocumentContent, documentMaker, MarkedDocument } from "./document.tsx";

const names = { app: "Harbour", provider: "Example ID", host: "localhost" };
const words = createVocabulary(names, languages).wordsFor("de");
const kind = {
  icon: "/favicon.svg",
  scheme: "auto" as const,
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
  boot: '{"of":"</script>"}',
  seed: '{"name":"</script>"}',
};
const make = documentMaker(renderToStaticMarkup(<MarkedDocument words={words} kind={kind} />));

test("what is of one page stands between the style and the last script, which pages share", () => {
  const html = make(content);
  const [styleEnd, scriptStart] = [html.indexOf("</style>"), html.lastIndexOf("<script>")];
  const shared = html.slice(0, styleEnd) + html.slice(scriptStart);
  expect(shared).toContain(kind.style);
  expect(shared).toContain(kind.inlineScript);
  for (const own of ["Lovelace", content.locale, String(content.now), "Hello", '{"of"', '{"name"'])
    expect(shared).not.toContain(own);
});

test("a document has each text of its page once, and no place is left open", () => {
  const html = make(content);
  expect(html).toContain("<title>Ada &amp; &quot;&lt;Lovelace&gt;&quot;</title>");
  expect(html).toContain('data-locale="de-AT" data-now="1780000000"');
  expect(html.split("<p>Hello</p>")).toHaveLength(2);
  expect(html.split(String.raw`{"of":"\u003c/script>"}`)).toHaveLength(2);
  expect(html.split(String.raw`{"name":"\u003c/script>"}`)).toHaveLength(2);
  expect(html).not.toMatch(/[\u0080-\u009F]/);
});
