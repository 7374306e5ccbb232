import { expect, test } from "vitest";

import { AccessTokenError } from "./access-token-error.ts";
import { Forbidden } from "./access-errors.ts";
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

test("an access token that may be had later tells when", () => {
  const options = { retryAfterSeconds: 7 };
  const error = new AccessTokenError("ERR_FAILED_REFRESH_GRANT", "later", options);
  expect(refusalOf(error)).toMatchObject({
    reason: "refresh_unavailable",
    retryAfterSeconds: 7,
    cause: error,
  });
});
