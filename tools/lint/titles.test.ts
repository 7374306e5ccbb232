import { describe, expect, test } from "vitest";

import { findTitleFaults, readTitles } from "./titles.ts";

describe("the titles of a file", () => {
  test("stand with the titles of their groups, in every kind of call", () => {
    const source = `
      describe("a store", () => {
        test("keeps %s", f);
        describe.each([1])("that is %s", () => {
          it.each([2])(\`answers \${x}\`, f);
        });
      });
      test.skipIf(true)("one more", f);
    `;
    expect(readTitles("a.test.ts", source)).toEqual([
      { groups: ["a store"], title: "keeps %s", line: 3 },
      { groups: ["a store", "that is %s"], title: "answers ${x}", line: 5 },
      { groups: [], title: "one more", line: 8 },
    ]);
  });
});

describe("a title without a subject", () => {
  test.each([
    `test("rejects a weak key", f);`,
    `test.each([1])("is ready with %s", f);`,
    `it("records the id of a session", f);`,
    `test("waits in close for work in progress", f);`,
    `test("reads at least one former version", f);`,
    `test("without a store, rejects a large session", f);`,
    `describe("while loading fails", () => { test("is retried soon", f); });`,
    `describe("accepts a token which", () => { test("is %s", f); });`,
  ])("is found in %s", (source) => {
    expect(findTitleFaults("a.test.ts", source)).toEqual([
      expect.stringMatching(/^a\.test\.ts:1: ".+" has no subject/),
    ]);
  });

  test.each([
    `test("a weak key is rejected", f);`,
    `test("records of a session are read", f);`,
    `test("with a weak key nothing starts", f);`,
    `describe("a weak key", () => { test("is rejected", f); });`,
    `test("without a store, a large session is rejected", f);`,
    `describe("while loading fails", () => { test("the load is retried soon", f); });`,
    `describe("uses", () => { test("takes over the client", f); });`,
    `const rejects = "rejects a weak key";`,
  ])("is not found in %s", (source) => {
    expect(findTitleFaults("a.test.ts", source)).toEqual([]);
  });
});
