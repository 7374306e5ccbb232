import { expect, test } from "vitest";

import { isPlaceholder } from "./placeholder.ts";

test.each([
  "# what openssl rand -base64 32 prints",
  "<what openssl rand -base64 32 prints>",
  "<secret>",
  "{{LATCHKEY_SECRET}}",
  "openssl rand -base64 32",
  "change-me",
  "changeme123 change_this",
  "replace-me-with-a-secret",
  "your-secret-key",
  "a very long secret value",
  "insert-your-secret-here",
  "xxxxxxxxxxxxxxxx",
  "********",
])("%j is a placeholder", (text) => {
  expect(isPlaceholder(text)).toBe(true);
  expect(isPlaceholder(text.split(" "))).toBe(true);
});

test.each([
  "kQ2b7m0cS0n7t1R1X3uC5yq5S1w0pVZ7i8oQ3mYx2nE=",
  "a-secret-of-the-quick-app-0123456789abcdef",
  "correct horse battery staple",
  "",
])("%j may be a secret", (text) => {
  expect(isPlaceholder(text)).toBe(false);
});
