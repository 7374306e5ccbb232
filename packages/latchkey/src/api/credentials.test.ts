import { expect, test } from "vitest";

import { readCredentials, refuseTokenInQuery } from "./credentials.ts";

const read = (authorization: string | null) =>
  readCredentials({
    headers: { get: (name) => (name === "authorization" ? authorization : null) },
  });

test.each([
  ["Bearer abc", { scheme: "Bearer", token: "abc" }],
  ["bearer abc", { scheme: "Bearer", token: "abc" }],
  ["BEARER   abc", { scheme: "Bearer", token: "abc" }],
  ["DPoP abc", { scheme: "DPoP", token: "abc" }],
  ["dpop abc", { scheme: "DPoP", token: "abc" }],
  ["Bearer aZ09-._~+/==", { scheme: "Bearer", token: "aZ09-._~+/==" }],
  ["Bearer abc ", { scheme: "Bearer", token: "abc" }],
])("%j names a caller [AP-024]", (header, expected) => {
  expect(read(header)).toEqual(expected);
});

test.each([
  null,
  "",
  "Basic YTpi",
  "Bearerabc",
  "DPoPabc",
  "Token x",
  "X-Bearer a",
  "Bearer-X a",
  "Digest a, bearer=b",
  "Basic a, b=c",
])("%j leaves the rules of sessions as they are [AP-033]", (header) => {
  expect(read(header)).toBeNull();
});

test.each([
  "Bearer",
  "Bearer ",
  "DPoP",
  "Bearer a b",
  "Bearer a,b",
  "Bearer a, Bearer b",
  "Bearer =",
  "Bearer a=b",
  'Bearer "a"',
  "Bearer ä",
  "Bearer a\tb",
  "Bearer\tabc",
  "Bearer\u00A0abc",
  "Bearer: abc",
  "Bearer=abc",
  "DPoP,abc",
])("%j is malformed [AP-024]", (header) => {
  expect(() => read(header)).toThrow("The Authorization header is malformed.");
});

test.each([
  "Basic YTpi, Bearer abc",
  "Basic YTpi,dpop abc",
  "Digest a, Bearer",
  "Basic a, DPoP\tb",
])("%j has several credentials [AP-024]", (header) => {
  expect(() => read(header)).toThrow("There are several credentials.");
});

test("a header has at most 16 KiB [AP-024]", () => {
  const longest = 16 * 1024 - "Bearer ".length;
  expect(read(`Bearer ${"a".repeat(longest)}`)?.token).toHaveLength(longest);
  expect(() => read(`Bearer ${"a".repeat(longest + 1)}`)).toThrow("The access token is too long.");
  expect(read(`Basic ${"a".repeat(20_000)}`)).toBeNull();
});

test("a token in the query is refused, whatever its value [AP-035]", () => {
  for (const query of ["?access_token=a", "?b=1&access_token", "?access%5Ftoken=a"]) {
    expect(() => refuseTokenInQuery(query)).toThrow("in the Authorization header");
  }
  expect(() => refuseTokenInQuery("?token=a&x=access_token")).not.toThrow();
});
