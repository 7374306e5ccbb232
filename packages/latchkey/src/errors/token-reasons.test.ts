import { expect, expectTypeOf, test } from "vitest";

import { formerReasons } from "./former-reasons.ts";
import { reasons, textOf } from "./reasons.ts";
import { Refusal } from "./refusal.ts";
import { kindsOf, type TokenFault } from "./token-reasons.ts";

test("a refused token has a reason, its kind, and the text and code of both", () => {
  expect(new Refusal({ reason: "token_issuer", kind: "logout_token" })).toMatchObject({
    reason: "token_issuer",
    kind: "logout_token",
    code: "ERR_TOKEN_ISSUER",
    message: "Unexpected iss value in the logout token.",
  });
  expect(new Refusal("not_found")).toMatchObject({ reason: "not_found", kind: undefined });
});

test("a reason has no kind of token without its check", () => {
  expectTypeOf({ reason: "token_nonce", kind: "id_token" } as const).toExtend<TokenFault>();
  type NoUserinfo = { reason: "token_nonce"; kind: "userinfo_token" };
  expectTypeOf<NoUserinfo>().not.toExtend<TokenFault>();
  expectTypeOf<"token_nonce">().not.toExtend<ConstructorParameters<typeof Refusal>[0]>();
  expect(kindsOf("token_nonce")).toEqual(["id_token", "logout_token"]);
});

test("a reason of tokens without a kind has the texts of all kinds, each once", () => {
  expect(textOf("token_algorithm")).toBe("Unexpected JWT alg received.");
  expect(textOf("token_not_yet_valid")).toBe(
    "The ID token is not active yet. The logout token is not active yet. The userinfo JWT is not active yet.",
  );
});

test.each([
  ["id_token_issuer", { reason: "token_issuer", kind: "id_token" }],
  ["logout_token_type", { reason: "token_malformed", kind: "logout_token" }],
  ["token_typ", { reason: "token_malformed", kind: "logout_token" }],
  ["id_token_access_token_hash", { reason: "token_hash", kind: "id_token" }],
  ["token_nonce_changed", { reason: "token_nonce", kind: "id_token" }],
  ["response_code_missing", { reason: "response_incomplete" }],
])("the former name %s leads to its reason and kind", (name, fault) => {
  expect(formerReasons.get(name)).toEqual(fault);
});

test("no former name is lost, and none is a reason of today", () => {
  expect(formerReasons.size).toBe(42 + 8);
  expect([...formerReasons.keys()].filter((name) => name in reasons)).toEqual([]);
});
