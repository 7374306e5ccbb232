import { inspect } from "node:util";
import { expect, test } from "vitest";

import { AccessTokenError } from "./access-token-error.ts";

test("an error that a new sign-in mends is printed on one line, with its code", () => {
  const error = new AccessTokenError("ERR_EXPIRED_ACCESS_TOKEN", "The access token expired.");
  const line = "AccessTokenError: The access token expired. (ERR_EXPIRED_ACCESS_TOKEN)";
  expect(inspect(error)).toBe(line);
  expect(error.stack).toContain("access-token-error.test.ts");
});

test("any other error is a fault, and printed with its stack", () => {
  const error = new AccessTokenError("ERR_INSUFFICIENT_SCOPE", "A scope is missing.");
  expect(inspect(error)).toContain("access-token-error.test.ts");
});
