import { expect, test } from "vitest";

import { decodeBase64url, encodeBase64url } from "./base64url.ts";

test("bytes become base64url without padding and come back", () => {
  const all = Uint8Array.from({ length: 256 }, (_value, index) => index);
  expect(encodeBase64url(Uint8Array.of(0xfb, 0xff, 0xbf, 0))).toBe("-_-_AA");
  for (const length of [0, 1, 2, 3, 255, 256]) {
    const bytes = all.subarray(256 - length);
    expect([...(decodeBase64url(encodeBase64url(bytes)) ?? [])]).toEqual([...bytes]);
  }
});

test.each([
  ["padding", "AAA="],
  ["the alphabet of plain base64", "+/+/"],
  ["white space", "AA AA"],
  ["an impossible length", "AAAAA"],
  ["stray bits after one byte", "AB"],
  ["stray bits after two bytes", "AAB"],
  ["a letter of Latin-1", "AB\u00c1D"],
  ["a letter whose lowest bits are one of base64url", "\u0141BCD"],
  ["such letters alone", "\u0141\u0142\u0143\u0144"],
])("a text with %s is not decoded", (_, text) => {
  expect(decodeBase64url(text)).toBeNull();
});
