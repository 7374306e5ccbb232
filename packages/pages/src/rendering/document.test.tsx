import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { createVocabulary } from "../messages/vocabulary.ts";
import { languages } from "../messages/languages.ts";
import { htmlOf } from "./document-parts.ts";
import { type DocumentContent, documentMaker, MarkedDocument } from "./document.tsx";

const names = { app: "Harbour", provider: "Example ID", host: "localhost" };
const words = createVocabulary(names, languages).wordsFor("de");
const kind = {
  icon: "/favicon.svg",
  scheme: "auto" as const,
  style: "a{color:red}",
  inlineScript: "void 0",
  live: { module: "/assets/watch.js", boot: '{"of":"</script>"}' },
  passing: ["notice"],
};
const content: DocumentContent = {
  locale: "de-AT",
  title: 'Ada & "<Lovelace>"',
  now: 1_780_000_000,
  body: "<p>Hello</p>",
  seed: '{"name":"</script>"}',
};
const make = documentMaker(renderToStaticMarkup(<MarkedDocument words={words} kind={kind} />));

test("style, scripts and their shared data are in the parts compressed once", () => {
  const { before, own, after } = make(content);
  expect(before.html).toContain(kind.style);
  expect(after.html).toContain(kind.inlineScript);
  expect(after.html).toContain(kind.live.module);
  expect(after.html).toContain(String.raw`{"of":"\u003c/script>"}`);
  expect(own).not.toContain(kind.style);
});

test("a document has each text of its page once, and no place is left open", () => {
  const html = htmlOf(make(content));
  expect(html).toContain("<title>Ada &amp; &quot;&lt;Lovelace&gt;&quot;</title>");
  expect(html).toContain('data-locale="de-AT" data-now="1780000000"');
  expect(html.split("<p>Hello</p>")).toHaveLength(2);
  expect(html.split(String.raw`{"name":"\u003c/script>"}`)).toHaveLength(2);
  expect(html).not.toMatch(/[\u0080-\u009F]/);
});
