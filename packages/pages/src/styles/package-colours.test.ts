import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every property of the React sheet has a value of the pages", () => {
  const given = propertiesIn("../../../latchkey/src/react/styles/properties.css");
  expect(propertiesIn("package-colours.css")).toEqual(
    expect.arrayContaining(given.filter((name) => name !== "--lk-scheme")),
  );
});

function propertiesIn(file: string): readonly string[] {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  const names = [...text.matchAll(/^ +(--lk-[a-z-]+):/gm)].map(([, name = ""]) => name);
  return [...new Set(names)].toSorted();
}
