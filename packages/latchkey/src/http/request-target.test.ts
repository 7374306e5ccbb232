import { describe, expect, test } from "vitest";

import { ownTime } from "../../test/own-time.ts";
import { foldCase, isUnder, parseTarget, pathInterpretations } from "./request-target.ts";

describe("a request target", () => {
  test.each([
    ["/", "/", "", null],
    ["/a?x=/y?z", "/a", "?x=/y?z", null],
    ["/%61%2fb/", "/%61%2fb/", "", null],
    ["//double//x/../y", "//double//x/../y", "", null],
    ["/a\\..\\b", "/a\\..\\b", "", null],
    ["http://localhost:3000/a/../b?c", "/a/../b", "?c", "localhost:3000"],
    ["HTTPS://user@[::1]//x", "//x", "", "user@[::1]"],
    ["http://localhost", "/", "", "localhost"],
    ["http://localhost?x=1", "/", "?x=1", "localhost"],
  ])("%s is taken apart as it was sent", (target, path, query, authority) => {
    expect(parseTarget(target)).toEqual({ path, query, authority });
  });

  test.each([
    "",
    "*",
    "localhost:443",
    "a/b",
    "?x=1",
    "ftp://localhost/",
    "http:/a",
    "http:///localhost/a",
    "/a#b",
    "/a?b#c",
    "/a b",
    "/a\tb",
    "/a\r\nb",
    "/a\0b",
    "/a\u007f",
    "http://localhost\\x",
  ])(
    "%j is refused, because servers would disagree about what it names [RFC 9112, section 3.2]",
    (target) => {
      expect(parseTarget(target)).toBeNull();
    },
  );
});

describe("interpretations of a path", () => {
  test.each(["/", "/a", "/a/", "/a/b.css", "/a.b/c-d_e~", "/_next/static/x.js", "/日本"])(
    "the plain path %s has one interpretation",
    (path) => {
      expect(pathInterpretations(path)).toEqual([path]);
    },
  );

  test.each([
    ["/api/auth/../../private", "/private"],
    ["/public/..%2fprivate", "/private"],
    ["/public/%2e%2e/private", "/private"],
    ["/public/%252e%252e/private", "/private"],
    ["//private", "/private"],
    ["//elsewhere/private", "/private"],
    ["///elsewhere/private", "/private"],
    ["/\\elsewhere:80/private", "/private"],
    ["//elsewhere", "/"],
    ["/public\\..\\private", "/private"],
    ["/public/%5c../private", "/private"],
    ["/./private/.", "/private/"],
    ["/private//", "/private/"],
    ["/private/x/..", "/private/"],
    ["/private/x/..", "/private"],
    ["/private/.", "/private"],
    ["/x/..", "/"],
    ["/%70rivate", "/private"],
    ["/../../private", "/private"],
    ["/public/..;/private", "/private"],
    ["/public/..;x=1/private", "/private"],
    ["/private;x", "/private"],
    ["/private%3bx", "/private"],
    ["/private%3fx", "/private"],
    ["/private%20", "/private"],
    ["/public/..;\\x/private", "/private"],
    ["/private%23x", "/private"],
    ["/private%2Fx", "/private/x"],
    ["/p%4Civate", "/pLivate"],
    ["/public/%2e%2e/private%2fx", "/private%2fx"],
    ["/public/.%2e/private", "/private"],
    ["/api/data/../../favicon.ico", "/favicon.ico"],
    ["/public//../private", "/public/private"],
    ["/public//../private", "/private"],
  ])("%s may be read as %s", (path, interpretation) => {
    expect(pathInterpretations(path)).toContain(interpretation);
  });

  test("a path in dots has no other interpretation than those", () => {
    expect(pathInterpretations("/a/./b/..")).toEqual(["/a/./b/..", "/a/", "/a"]);
  });

  test.each([
    ["//else/x//y", "/else/x/y", "/x//y", "/x/y"],
    ["//else", "/else", "/"],
  ])("only slashes at the start of %s may stand before an authority", (path, ...others) => {
    expect(pathInterpretations(path)).toEqual([path, ...others]);
  });

  test("every path is also read as it was sent", () => {
    for (const path of ["/a/../b", "//x", "/%2e", "/a;b"]) {
      expect(pathInterpretations(path)).toContain(path);
    }
  });

  test("broken escapes and escapes of other characters stay as they are", () => {
    expect(pathInterpretations("/%zz/%/%e4%b8%ad")).toEqual(["/%zz/%/%e4%b8%ad"]);
  });

  test("a path with many layers of encoding has too many interpretations for a conclusion", () => {
    const path = `/public/%${"25".repeat(200)}2e`;
    expect(pathInterpretations(path)).toBeNull();
  });

  test("the longer a path is, the fewer interpretations it may have [ATK-017]", () => {
    const start = "/%2525252541;%255c..%2f;";
    expect(pathInterpretations(start + "/%2e".repeat(400))).not.toBeNull();
    expect(pathInterpretations(start + "/%2e".repeat(3750))).toBeNull();
    expect(pathInterpretations("/%41".repeat(3750))).not.toBeNull();
  });

  test.each(["/public/..%00", "/public/.%09./x", "/x%250a", "/x%7f"])(
    "nothing is concluded from %s, which holds a control character",
    (path) => {
      expect(pathInterpretations(path)).toBeNull();
    },
  );

  test("a path with many layers of encoding is still read to its end", () => {
    let path = "/private";
    for (let round = 0; round < 8; round += 1) path = path.replaceAll(/[%p]/g, encodeCharacter);
    expect(pathInterpretations(path)).toContain("/private");
  });

  test("a hostile path of 8,000 characters is read quickly [ATK-017]", () => {
    for (const part of ["../", "%252e", "//", ";x", "/%2e%2e/..;/"]) {
      const path = `/${part.repeat(8000 / part.length)}`;
      const before = ownTime();
      pathInterpretations(path);
      expect(ownTime() - before).toBeLessThan(1000);
    }
  });
});

test.each([
  ["/Admin", "/admin"],
  ["/\u212Aeys", "/keys"],
  ["/%E2%84%AAeys", "/keys"],
  ["/u\u017Fers", "/users"],
  ["/\uFF21dmin", "/admin"],
  ["/adm\u0131n", "/admin"],
  ["/%E2%84", "/%e2%84"],
])("a case-insensitive router reads %s as %s", (path, folded) => {
  expect(foldCase(path)).toBe(folded);
});

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}

test.each([
  ["/api", "/api", true],
  ["/api", "/api/x", true],
  ["/api", "/apix", false],
  ["/api/", "/api/x", true],
  ["/api/", "/api", false],
  ["/", "/x", true],
  ["/_next", "/_nextfoo", false],
])("the folder %s holds %s: %s", (folder, path, held) => {
  expect(isUnder(folder, path)).toBe(held);
});
