import { describe, expect, test } from "vitest";

import { isUnder, pathAndQueryOf, pathOf, readingsOfPath } from "./request-path.ts";

describe("path of an address", () => {
  test.each([
    ["http://localhost:3000", "/", "/"],
    ["http://localhost:3000/", "/", "/"],
    ["http://localhost:3000/a/b", "/a/b", "/a/b"],
    ["http://localhost:3000/a?x=/y#z", "/a", "/a?x=/y"],
    ["http://localhost:3000/a#z?x=1", "/a", "/a"],
    ["http://localhost:3000/%61%2fb/", "/%61%2fb/", "/%61%2fb/"],
    ["https://[::1]:3000//double//x", "//double//x", "//double//x"],
  ])("%s", (address, path, pathAndQuery) => {
    expect(pathOf(address)).toBe(path);
    expect(pathAndQueryOf(address)).toBe(pathAndQuery);
  });
});

describe("readings of a path", () => {
  test("a plain path has one reading", () => {
    expect(readingsOfPath("/a/b.css")).toEqual(["/a/b.css"]);
  });

  test.each([
    ["/api/auth/../../private", "/private"],
    ["/public/..%2fprivate", "/private"],
    ["/public/%2e%2e/private", "/private"],
    ["/public/%252e%252e/private", "/private"],
    ["//private", "/private"],
    ["/public\\..\\private", "/private"],
    ["/public/%5c../private", "/private"],
    ["/./private/.", "/private/"],
    ["/private//", "/private/"],
    ["/private/x/..", "/private/"],
    ["/x/..", "/"],
    ["/%70rivate", "/private"],
    ["/../../private", "/private"],
  ])("%s may be read as %s [ATK-119]", (path, reading) => {
    expect(readingsOfPath(path)).toContain(reading);
  });

  test("broken escapes and other letters stay as they are", () => {
    expect(readingsOfPath("/%zz/%/%e4%b8%ad")).toEqual(["/%zz/%/%e4%b8%ad"]);
  });

  test("a path that is encoded over and over has no reading at all", () => {
    let path = "/private";
    for (let round = 0; round < 8; round += 1) path = path.replaceAll(/[%p]/g, encodeLetter);
    expect(readingsOfPath(path)).toBeNull();
  });
});

function encodeLetter(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16)}`;
}

describe("under a folder", () => {
  test.each([
    ["/api", "/api", true],
    ["/api", "/api/x", true],
    ["/api", "/apix", false],
    ["/api/", "/api/x", true],
    ["/api/", "/api", false],
    ["/", "/x", true],
    ["/_next", "/_nextfoo", false],
  ])("%s holds %s: %s", (folder, path, held) => {
    expect(isUnder(folder, path)).toBe(held);
  });
});
