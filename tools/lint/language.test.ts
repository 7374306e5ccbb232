import { describe, expect, it } from "vitest";
import { findFaults, findOveruse, readProse } from "./language.ts";

const told = "told";

describe("findFaults", () => {
  describe.each(["Whoever", "nobody", "somebody", "tells", told])("rejects %s", (rejected) => {
    it.each([
      ["a line comment", `// Is ${rejected} here?`, 1],
      ["a block comment", `\n/**\n * Is ${rejected} here?\n */`, 2],
      ["a comment after code", `f(); // ${rejected}`, 1],
    ])("in %s", (_place, source, line) => {
      expect(findFaults("a.ts", source)).toEqual([
        expect.stringContaining(`a.ts:${line}: "${rejected}" in a comment`),
      ]);
    });

    it.each([
      `it("${rejected}", f);`,
      `test.each([1])("%s ${rejected}", f);`,
      `describe(\`\${x} ${rejected}\`, f);`,
    ])("in the title of %s", (source) => {
      expect(findFaults("a.test.ts", source)).toEqual([
        expect.stringContaining(`a.test.ts:1: "${rejected}" in a title`),
      ]);
    });
  });

  it("rejects a function named by a participle, outside of tests", () => {
    const source = "export async function quoted() {}";
    expect(findFaults("a.ts", source)).toEqual(['a.ts: function "quoted" needs a verb']);
    for (const name of ["a.test.ts", "packages/a/test/b.ts"]) {
      expect(findFaults(name, source)).toEqual([]);
    }
  });

  it("rejects the line of a comment beyond column 100", () => {
    const source = `/**\n * ${"x".repeat(97)}\n * ${"x".repeat(98)}\n */`;
    expect(findFaults("a.ts", source)).toEqual(["a.ts:3: comment is 101 columns wide"]);
  });

  it.each([
    ["strings", `export const text = "// ${told}";`],
    ["JSX text", `export const text = <p>// ${told}</p>;`],
    ["an address on a line of its own", `/**\n * https://example.com/${"x".repeat(100)}\n */`],
    ["long code", `export const text = "${"x".repeat(100)}";`],
    ["words that contain a forbidden one", `// un${told}`],
  ])("accepts %s", (_name, source) => {
    expect(findFaults("a.tsx", source)).toEqual([]);
  });
});

describe("findOveruse", () => {
  const overuse = (text: string) => findOveruse("tools", readProse("a.ts", text));

  it.each([
    ["where", 9, 10],
    ["asked", 3, 4],
    ["that", 120, 121],
  ])("accepts %s %i times in 10,000 words, not %i times", (word, most, tooMany) => {
    const text = (count: number) =>
      `// ${"word ".repeat(10_000 - count)}${`${word} `.repeat(count)}`;
    expect(overuse(text(most))).toEqual([]);
    expect(overuse(text(tooMany))).toEqual([expect.stringContaining(`${tooMany} times in 10000`)]);
  });
});
