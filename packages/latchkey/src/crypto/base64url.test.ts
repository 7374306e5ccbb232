import { expect, test } from "vitest";

import * as onNode from "./base64url.node.ts";
import * as onTheWeb from "./base64url.ts";

test.each([
  ["Node", onNode],
  ["Web APIs", onTheWeb],
])("base64url by %s has no padding and its own two letters, there and back", (_, twin) => {
  const all = Uint8Array.from({ length: 256 }, (_value, index) => index);
  expect(twin.toBase64url(Uint8Array.of(0xfb, 0xff, 0xbf, 0))).toBe("-_-_AA");
  for (const length of [0, 1, 2, 3, 255, 256]) {
    const bytes = all.subarray(256 - length);
    expect([...twin.fromBase64url(twin.toBase64url(bytes))]).toEqual([...bytes]);
  }
});
