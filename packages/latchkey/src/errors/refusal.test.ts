import { expect, expectTypeOf, test } from "vitest";

import { AccessTokenError } from "./access-token-error.ts";
import { Forbidden } from "./access-errors.ts";
import type { ErrorCode } from "./latchkey-error.ts";
import type { RefusalCode } from "./reasons.ts";
import { Refusal, refusalOf } from "./refusal.ts";

test.each([
  ["a Forbidden that a hook of the app throws", new Forbidden(), "forbidden"],
  ["any other error", new Error("broken"), "internal"],
])("%s is a refusal, and its cause is kept", (_, error, reason) => {
  expect(refusalOf(error)).toMatchObject({ reason, cause: error });
});

test("a refusal means itself", () => {
  const refusal = new Refusal("foreign_issuer");
  expect(refusalOf(refusal)).toBe(refusal);
});

test("the code of a refusal is its reason in capitals, after ERR_", () => {
  expect(new Refusal("store_unavailable").code).toBe("ERR_STORE_UNAVAILABLE");
  expectTypeOf(new Refusal("not_found").code).toExtend<ErrorCode>();
  expectTypeOf<"ERR_STATE_MISMATCH">().toExtend<RefusalCode>();
  expectTypeOf<"ERR_STATE">().not.toExtend<ErrorCode>();
});

test("a temporarily missing access token has a time for the next try", () => {
  const options = { retryAfterSeconds: 7 };
  const error = new AccessTokenError("ERR_FAILED_REFRESH_GRANT", "later", options);
  expect(refusalOf(error)).toMatchObject({
    reason: "refresh_unavailable",
    retryAfterSeconds: 7,
    cause: error,
  });
});
