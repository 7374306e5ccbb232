import { describe, expect, test } from "vitest";
import * as v from "valibot";

import { accessTo, checkRules, type HostRules } from "./check-rules.ts";

const isRead = (given: unknown) => v.safeParse(checkRules, given).success;

test.each([
  ["wiki.example", true],
  ["WIKI.example:8443", true],
  ["[::1]:3000", true],
  ["wiki.example:80", false],
  ["wiki.example:443", false],
  ["wiki*.example", false],
  ["1.2.3", false],
  ["[", false],
])("whether %s is a host as browsers send it: %s", (host, is) => {
  expect(isRead({ [host]: "public" })).toBe(is);
});

test.each([[null], [[]], ["open"], [true]])("%j is no access", (access) => {
  expect(isRead({ "wiki.example": { "/": access } })).toBe(false);
});

describe("the rules for a path", () => {
  const accessFor = (rules: object, method: string, path = "/a") => {
    const [host] = v.parse(checkRules, { "wiki.example": rules });
    return accessTo(host as HostRules, { method, path });
  };

  test.each([
    { "/a": "signed-in", "GET /a": "public" },
    { "GET /a": "public", "/a": "signed-in" },
  ])("one for the method wins over one for every method: %j", (rules) => {
    const methods = ["GET", "HEAD", "POST"];
    expect(methods.map((method) => accessFor(rules, method))).toEqual([
      ["public"],
      ["public"],
      ["signed-in"],
    ]);
  });

  test("demand a sign-in if none counts", () => {
    expect(accessFor({ "POST /a": "public" }, "GET")).toEqual(["signed-in"]);
  });

  test.each(["/a.json", "/A.xml", "/a.", "/a%2Ejson/"])(
    "count for %s, which applications answer as the path itself",
    (path) => {
      expect(accessFor({ "/": "public", "/a": "signed-in" }, "GET", path)).toContain("signed-in");
      expect(accessFor({ "/": "signed-in", "/a": "public" }, "GET", path)).toContain("signed-in");
    },
  );

  test("count without final slashes", () => {
    expect(accessFor({ "/a//": "public" }, "GET")).toEqual(["public"]);
  });
});
