import { expect, test } from "vitest";

import { userClaims } from "./user-claims.ts";

test("the user has all claims but those filtered, and always a sub", () => {
  const claims = { sub: "ada", name: "Ada", nonce: "n", aud: "client" };
  const user = userClaims({ identityClaimFilter: ["nonce", "aud", "sub"] }, claims);
  expect(user).toEqual({ sub: "ada", name: "Ada" });
});
