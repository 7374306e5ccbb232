import { expect, test } from "vitest";

import { freshForMs } from "./freshness.ts";

test.each([
  ["no word on it", {}, 600],
  ["no-store", { "cache-control": "no-store" }, 600],
  ["max-age=30", { "cache-control": "max-age=30" }, 60],
  ["max-age=3600", { "cache-control": "public, max-age=3600, must-revalidate" }, 3600],
  ["max-age=604800", { "cache-control": "Max-Age=604800" }, 86_400],
  ["max-age=3600 and Age: 600", { "cache-control": "max-age=3600", age: "600" }, 3000],
  ["s-maxage=900, which is for shared caches", { "cache-control": "s-maxage=900" }, 600],
  ["max-age of ours after another one", { "cache-control": "x-max-age=9,max-age = 3600" }, 3600],
  ["no-cache and Age: 600", { "cache-control": "no-cache", age: "600" }, 600],
  ["an age that is no number", { "cache-control": "max-age=3600", age: "600 s" }, 3600],
  ["an age below nothing", { "cache-control": "max-age=3600", age: "-600" }, 3600],
  ["max-age=often", { "cache-control": "max-age=often" }, 600],
])("a document with %s is fresh for so many seconds [OP-048]", (_, headers, seconds) => {
  expect(freshForMs(new Headers(headers as Record<string, string>))).toBe(seconds * 1000);
});
