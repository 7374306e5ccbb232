import { expect, test } from "vitest";

import { principalOfToken } from "./principal-of-token.ts";

const issuer = "https://id.example";
const token = { issuer, scopes: ["read"], client: "cli", expiresAt: 60, boundKey: undefined };

test("the principal of an access token has its claims, issuer, client and end", () => {
  const claims = { sub: "ada", auth_time: 5, acr: "mfa" };
  expect(principalOfToken({ ...token, claims })).toMatchObject({
    credential: "access_token",
    claims,
    scopes: ["read"],
    issuer,
    client: "cli",
    authTime: 5,
    acr: "mfa",
    endsAt: 60,
  });
});

test("an auth_time or acr of another type authenticates no caller of an access token", () => {
  const claims = { sub: "ada", auth_time: "5", acr: ["mfa"] };
  const { authTime, acr } = principalOfToken({ ...token, claims });
  expect([authTime, acr]).toEqual([undefined, undefined]);
});
