import { gunzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { gzipPage } from "./gzip-page.ts";

const before = `<!doctype html><style>${"a{color:red}".repeat(300)}</style>`;
const after = "<script>void 0</script>";

test.each([
  ["text", "<p>Hello</p>"],
  ["nothing", ""],
  ["characters of several bytes", "<p>ليلى 👩‍🚀 é</p>".repeat(200)],
  ["what repeats the parts around it", "<style>a{color:red}</style>".repeat(50)],
  ["more than a stream gives in one piece", noise(200_000)],
])("a page with %s is the same in the coding gzip", (_what, own) => {
  for (const page of [before + own + after, own + after, before + own, own, after + before]) {
    expect(gunzipSync(gzipPage(page)).toString()).toBe(page);
  }
});

test("a page is compressed in a third of its bytes, whatever came before it", () => {
  const pages = [1, 2].map((number) => `${before}<p>Hello, ${number}</p>${after}`);
  for (const page of pages) expect(gzipPage(page).length).toBeLessThan(page.length / 3);
});

/** Text that compresses badly, the same in every run. */
function noise(length: number): string {
  let seed = 1;
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCodePoint(32 + (seed % 95));
  }).join("");
}
