import { gunzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { fixedPart, gzipOf, htmlOf } from "./document-parts.ts";

test.each([
  ["text", "<p>Hello</p>"],
  ["nothing", ""],
  ["characters of several bytes", "<p>ليلى 👩‍🚀 é</p>".repeat(200)],
  ["what repeats the parts around it", "<style>a{color:red}</style>".repeat(50)],
])("a page with %s is the same in the coding gzip", (_what, own) => {
  const before = fixedPart(`<!doctype html><style>${"a{color:red}".repeat(300)}</style>`, false);
  const parts = { before, own, after: fixedPart("<script>void 0</script>", true) };
  expect(gunzipSync(gzipOf(parts)).toString()).toBe(htmlOf(parts));
});
