import { expect, test } from "vitest";

import { derOf } from "./ecdsa-signature.ts";

const signature = (r: readonly number[], s: readonly number[]) => {
  const bytes = new Uint8Array(64);
  bytes.set(r, 32 - r.length);
  bytes.set(s, 64 - s.length);
  return bytes;
};

const hex = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString("hex");

test.each([
  ["of small integers", signature([1], [2]), "3006020101020102"],
  ["whose integers have leading zeros", signature([1, 0], [0x7f]), "30070202010002017f"],
  ["whose integers look negative", signature([0x80], [0xff, 1]), "300902020080020300ff01"],
  ["of nothing", signature([], []), "3006020100020100"],
])("a signature %s is written as DER", (_, bytes, der) => {
  expect(hex(derOf(bytes))).toBe(der);
});

test("a signature of the largest integers is written as DER", () => {
  const bytes = new Uint8Array(64).fill(0xff);
  const integer = `022100${"ff".repeat(32)}`;
  expect(hex(derOf(bytes))).toBe(`3046${integer}${integer}`);
});

test.each([0, 63, 65, 70, 128])("%i bytes are no signature with P-256", (length) => {
  expect(derOf(new Uint8Array(length))).toBeNull();
});
