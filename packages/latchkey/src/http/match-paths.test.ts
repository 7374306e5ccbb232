import { expect, test } from "vitest";

import { matchPaths } from "./match-paths.ts";

const folders = ["/", "/admin", "/admin/health", "/Docs"];

test.each([
  ["the longest folder", "/admin/health/live", ["/admin/health"]],
  ["the folder itself", "/admin", ["/admin"]],
  ["the root for any other path", "/administration", ["/"]],
  ["both readings of an encoded dot segment", "/admin/health/%2e%2e", ["/admin/health", "/admin"]],
  ["both readings of a double slash", "//admin", ["/", "/admin"]],
  ["both readings of capitals", "/ADMIN", ["/", "/admin"]],
  ["a folder with capitals", "/Docs/x", ["/Docs"]],
  ["both readings of a folder in other letters", "/docs", ["/", "/Docs"]],
  ["both readings of a file name", "/admin.html", ["/", "/admin"]],
  ["both readings of a format", "/admin/health.json", ["/admin", "/admin/health"]],
  ["both readings of a format in an escape", "/ADMIN%2Exml", ["/", "/admin"]],
  ["both readings of a dot and a slash at the end", "/admin./", ["/", "/admin"]],
])("a path is matched with %s", (_, path, expected) => {
  expect(matchPaths(folders, path)).toEqual(expect.arrayContaining(expected));
});

test.each([
  ["/admin.json/x", ["/"]],
  ["/robots.txt", ["/robots.txt"]],
  ["/health.json", ["/"]],
  ["/.json", ["/"]],
])("an extension names no other folder: %s", (path, expected) => {
  expect(matchPaths(["/", "/admin", "/robots.txt"], path)).toEqual(expected);
});

test("without a root a path may match nothing", () => {
  expect(matchPaths(["/admin"], "/other")).toEqual([null]);
});

test("a path with a control character allows no conclusion", () => {
  expect(matchPaths(folders, "/admin%00")).toBeNull();
});
