import { expect, test } from "vitest";
import { referenceOf } from "./reference.ts";

test.each(["bqcaZ4AJ-and-more", "________", "0O1Il5S8"])(
  "a reference of %s has eight characters without a lookalike, the same every time",
  (text) => {
    expect(referenceOf(text)).toMatch(/^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/);
    expect(referenceOf(text)).toBe(referenceOf(text));
  },
);
