import { gunzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { gzipDocument } from "./gzip-document.ts";

const before = { html: `<!doctype html><style>${"a{color:red}".repeat(300)}</style>` };
const after = { html: "<script>void 0</script>" };

test.each([
  ["text", "<p>Hello</p>"],
  ["nothing", ""],
  ["characters of several bytes", "<p>ليلى 👩‍🚀 é</p>".repeat(200)],
  ["what repeats the parts around it", "<style>a{color:red}</style>".repeat(50)],
  ["more than a stream gives in one piece", noise(200_000)],
])("a page with %s is the same in the coding gzip", (_what, own) => {
  const parts = { before, own, after };
  expect(gunzipSync(gzipDocument(parts)).toString()).toBe(before.html + own + after.html);
});

/** Text that compresses badly, the same in every run. */
function noise(length: number): string {
  let seed = 1;
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCodePoint(32 + (seed % 95));
  }).join("");
}
