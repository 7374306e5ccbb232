import { expect, test } from "vitest";

import type { SessionContent } from "../seal.ts";
import { isRefreshResult, type RefreshResult, withResult } from "./refresh-result.ts";

const header = { uat: 1, iat: 1, exp: 2, id: "s", subTag: "t", generation: 3 };
const before: SessionContent = {
  header: { ...header, ticket: "refresh|former" },
  data: {
    user: { sub: "ada", name: "Ada", email: "ada@example.com" },
    accessToken: "at-0",
    accessTokenExpiresAt: 100,
    refreshToken: "rt-0",
    resourceTokens: { "https://one.example": { accessToken: "at-one" } },
    theme: "dark",
  },
};
const result: RefreshResult = {
  generation: 4,
  tokens: { accessToken: "at-1", refreshToken: "rt-1" },
  claims: null,
};

test("a session takes the tokens of a refresh, and keeps everything else but an end that was not told", () => {
  const { accessTokenExpiresAt: _end, ...kept } = before.data;
  const data = { ...kept, accessToken: "at-1", refreshToken: "rt-1" };
  const refreshed = { ...header, generation: 4 };
  expect(withResult(before, result)).toEqual({ header: refreshed, data });
  expect(withResult(before, result, "refresh|spent")).toEqual({
    header: { ...refreshed, ticket: "refresh|spent" },
    data,
  });
});

test("claims of a new ID token replace those of the user one by one", () => {
  const { data } = withResult(before, { ...result, claims: { sub: "ada", name: "Ada L." } });
  expect(data.user).toEqual({ sub: "ada", name: "Ada L.", email: "ada@example.com" });
});

test("a token for another resource server is kept beside those for others", () => {
  const resourceToken = { resource: "https://two.example", accessToken: "at-two" };
  expect(withResult(before, { ...result, resourceToken }).data.resourceTokens).toEqual({
    "https://one.example": { accessToken: "at-one" },
    "https://two.example": { accessToken: "at-two" },
  });
});

test.each([
  [result, true],
  [{ ...result, claims: { sub: "ada" } }, true],
  [{ generation: 4, tokens: result.tokens }, false],
  [{ ...result, generation: 1.5 }, false],
  [{ ...result, tokens: null }, false],
  [{ ...result, tokens: { accessToken: "at-1" } }, false],
  ["claims", false],
  [null, false],
])("%j is what a refresh brings: %s", (value, isOne) => {
  expect(isRefreshResult(value)).toBe(isOne);
});
