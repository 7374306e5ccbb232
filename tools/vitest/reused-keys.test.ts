import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";

function makePair(): string {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return publicKey.export({ type: "spki", format: "pem" }).toString();
}

test("the RSA pairs of a test differ, and the first one comes again after eleven others", () => {
  const pairs = Array.from({ length: 13 }, makePair);
  expect(new Set(pairs).size).toBe(12);
  expect(pairs.at(-1)).toBe(pairs[0]);
});
