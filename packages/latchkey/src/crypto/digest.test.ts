import { createHash } from "node:crypto";
import { expect, test } from "vitest";

import { digest as onNode } from "./digest.node.ts";
import { digest as onTheWeb } from "./digest.ts";

/** FIPS 180-4, "abc". */
const ofABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

test.each([
  ["Node", onNode],
  ["Web Crypto", onTheWeb],
])("digests by %s are those of the standard, of the text in UTF-8", async (_, digest) => {
  expect(Buffer.from(await digest("SHA-256", "abc")).toString("hex")).toBe(ofABC);
  for (const name of ["SHA-256", "SHA-384", "SHA-512"] as const) {
    const expected = createHash(name.replace("-", "")).update("Zoë ☕").digest("hex");
    // oxlint-disable-next-line no-await-in-loop -- three short ones
    expect(Buffer.from(await digest(name, "Zoë ☕")).toString("hex")).toBe(expected);
  }
});
