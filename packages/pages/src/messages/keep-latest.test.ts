import { expect, test } from "vitest";

import { keepLatest } from "./keep-latest.ts";

function countingFormatters() {
  const made: string[] = [];
  const format = keepLatest((locale: string, options?: { readonly style?: string }) => {
    made.push(locale);
    return { locale, options };
  });
  return { made, format };
}

test("a formatter is made once for the same locale and options", () => {
  const { made, format } = countingFormatters();
  const first = format("de", { style: "unit" });
  expect(format("de", { style: "unit" })).toBe(first);
  expect(format("de", { style: "decimal" })).not.toBe(first);
  expect(format("en", { style: "unit" })).not.toBe(first);
  expect(made).toEqual(["de", "de", "en"]);
});

test("formatters of many locales are forgotten", () => {
  const { made, format } = countingFormatters();
  for (let count = 0; count < 1000; count += 1) {
    format("used");
    format(`locale-${count}`);
  }
  expect(made.filter((locale) => locale === "used").length).toBeLessThan(10);
  format("locale-0");
  expect(made.filter((locale) => locale === "locale-0")).toHaveLength(2);
});
