import { gunzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { deflate, deflateAlone } from "./deflate.ts";
import { type DocumentParts, fixedPart, gzipOf, htmlOf, wholeDocument } from "./document-parts.ts";

const before = fixedPart(`<!doctype html><style>${"a{color:red}".repeat(300)}</style>`, false);
const after = fixedPart("<script>void 0</script>", true);

function unpacked(parts: DocumentParts): string {
  return gunzipSync(gzipOf(parts)).toString();
}

test.each([
  ["text", "<p>Hello</p>"],
  ["nothing", ""],
  ["characters of several bytes", "<p>ليلى 👩‍🚀 é</p>".repeat(200)],
  ["what repeats the parts around it", "<style>a{color:red}</style>".repeat(50)],
  ["more than a stream gives in one piece", noise(200_000)],
])("a page with %s is the same in the coding gzip", (_what, own) => {
  const parts = { before, own, after };
  expect(unpacked(parts)).toBe(htmlOf(parts));
  expect(unpacked(wholeDocument(own))).toBe(own);
});

test("a page that is compressed after another one has nothing of it", () => {
  const long = wholeDocument("<p>Ada Lovelace</p>".repeat(50));
  const short = wholeDocument("<p>Ada Lovelace</p>");
  const alone = gzipOf(short);
  gzipOf(long);
  expect(gzipOf(short)).toEqual(alone);
});

test("this Node compresses all pages by one stream, to the same bytes as by a stream for each", () => {
  expect(deflate).not.toBe(deflateAlone);
  const bytes = Buffer.from(noise(5000));
  expect(deflate(bytes)).toEqual(deflateAlone(bytes));
});

/** Text that hardly compresses, the same in every run. */
function noise(length: number): string {
  let seed = 1;
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCodePoint(32 + (seed % 95));
  }).join("");
}
