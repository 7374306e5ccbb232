import { expect, test } from "vitest";

import { freshIV, ivBytes } from "./fresh-iv.ts";

test("initialisation vectors never repeat, and those that were given out stay as they were", () => {
  const given = Array.from({ length: 1000 }, () => freshIV());
  const spelt = given.map((iv) => Buffer.from(iv).toString("hex"));
  expect(new Set(spelt).size).toBe(1000);
  expect(spelt.every((text) => text.length === ivBytes * 2)).toBe(true);
  for (let count = 0; count < 300; count += 1) freshIV();
  expect(given.map((iv) => Buffer.from(iv).toString("hex"))).toEqual(spelt);
});
