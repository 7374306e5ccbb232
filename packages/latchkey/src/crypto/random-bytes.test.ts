import { expect, test } from "vitest";

import { randomBytes } from "./random-bytes.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

test("random bytes never repeat, and earlier ones never change", () => {
  const given = Array.from({ length: 1000 }, () => randomBytes(12));
  const spelt = given.map(hex);
  expect(new Set(spelt).size).toBe(1000);
  expect(spelt.every((text) => text.length === 24)).toBe(true);
  for (let count = 0; count < 400; count += 1) randomBytes(12);
  expect(given.map(hex)).toEqual(spelt);
});

test("more bytes than are drawn together are random, too", () => {
  const large = randomBytes(5000);
  expect(large).toHaveLength(5000);
  expect(hex(large.subarray(4900))).not.toMatch(/^0+$/);
});
