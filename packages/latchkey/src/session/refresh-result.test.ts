import { expect, test } from "vitest";

import type { SessionContent } from "./seal.ts";
import { type RefreshResult, withResult } from "./refresh-result.ts";

const before: SessionContent = {
  header: {
    uat: 1,
    iat: 1,
    exp: 2,
    id: "s",
    subTag: "t",
    issuer: "https://op.example",
    client: "client",
  },
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
  tokens: { accessToken: "at-1", refreshToken: "rt-1" },
  claims: null,
};

test("a session takes the tokens of a refresh, and keeps everything else but an end the response leaves out", () => {
  const { accessTokenExpiresAt: _end, ...kept } = before.data;
  const data = { ...kept, accessToken: "at-1", refreshToken: "rt-1" };
  expect(withResult(before, result)).toEqual({ header: before.header, data });
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
  ["replaces the token of the sign-in drops", "at-1", undefined],
  ["brings the same token again keeps", "at-0", { mail: { accessToken: "at-mail" } }],
  ["leaves the token of the sign-in keeps", undefined, { mail: { accessToken: "at-mail" } }],
])("a refresh that %s what that token was exchanged for", (_name, accessToken, kept) => {
  const exchangedTokens = { mail: { accessToken: "at-mail" } };
  const content = { ...before, data: { ...before.data, exchangedTokens } };
  const tokens = { refreshToken: "rt-1", ...(accessToken === undefined ? {} : { accessToken }) };
  expect(withResult(content, { ...result, tokens }).data.exchangedTokens).toEqual(kept);
});
