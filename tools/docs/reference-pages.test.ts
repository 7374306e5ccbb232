import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

import { referencePages } from "./reference-pages.ts";
import { declarationOf, eventsOf } from "./source-types.ts";

const root = path.join(import.meta.dirname, "../..");

test.each(Object.entries(referencePages))("%s is up to date with the sources", (file, page) => {
  expect(readFileSync(path.join(root, file), "utf8"), "npm run docs makes it").toBe(page());
});

test("a declaration is shown with its comments", () => {
  const code = "interface A {\n  /** One. */\n  readonly b: string;\n}";
  expect(declarationOf(`/** Text. */\nexport ${code}\nexport type B = 1;\n`, "A")).toBe(code);
});

test("a type that the source does not export is an error", () => {
  expect(() => declarationOf("interface A {}", "A")).toThrow("no exported type A");
});

test("events of one name are shown together", () => {
  const source = `type Event =
  | {
      readonly event: "a";
      readonly of: "one";
    }
  | { readonly event: "b" }
  | { readonly event: "a"; readonly of: "two" };
`;
  expect(eventsOf(source, "Event")).toEqual([
    {
      name: "a",
      code: '{\n  readonly event: "a";\n  readonly of: "one";\n}\n| { readonly event: "a"; readonly of: "two" }',
    },
    { name: "b", code: '{ readonly event: "b" }' },
  ]);
});
