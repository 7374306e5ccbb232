import { createHash } from "node:crypto";
import { expect, test } from "vitest";

import { digest, isSameText, sha256 } from "./digest.ts";

/** FIPS 180-4, "abc". */
const ofABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

test("a digest is the one of the standard, of the text in UTF-8", () => {
  expect(Buffer.from(digest("SHA-256", "abc")).toString("hex")).toBe(ofABC);
  for (const name of ["SHA-256", "SHA-384", "SHA-512"] as const) {
    const expected = createHash(name.replace("-", "")).update("Zoë ☕").digest("hex");
    expect(Buffer.from(digest(name, "Zoë ☕")).toString("hex")).toBe(expected);
  }
});

test("a SHA-256 as text is the base64url of its bytes", () => {
  for (const text of ["abc", "", "Zoë ☕"]) {
    expect(sha256(text)).toBe(createHash("sha256").update(text).digest("base64url"));
  }
});

test("two texts are the same if all their bytes are, whatever their lengths", () => {
  for (const text of ["", "state", "Zoë ☕"]) expect(isSameText(text, text)).toBe(true);
  const others = [
    ["state", "statf"],
    ["state", "stat"],
    ["", "s"],
    // As many characters, more bytes; and as many bytes.
    ["state", "stat☕"],
    ["ab", "ë"],
  ] as const;
  for (const [one, other] of others) expect(isSameText(one, other)).toBe(false);
});
