import { describe, expect, it } from "vitest";
import { importsOf } from "./imports.ts";

describe("the reader of imports", () => {
  it("finds imports, re-exports, side effects and dynamic imports, and what is erased", () => {
    const source = `
      import { a } from "./a.ts";
      import type { B } from "./b.ts";
      import { type C } from "./c.ts";
      import "./d.css";
      export * from "./e.ts";
      export type { F } from "./f.ts";
      const late = await import("./g.ts");
      // import { no } from "./no.ts";
      const text = 'import { no } from "./no.ts"';
    `;
    expect(importsOf("x.ts", source)).toEqual([
      { specifier: "./a.ts", typeOnly: false },
      { specifier: "./b.ts", typeOnly: true },
      { specifier: "./c.ts", typeOnly: true },
      { specifier: "./d.css", typeOnly: false },
      { specifier: "./e.ts", typeOnly: false },
      { specifier: "./f.ts", typeOnly: true },
      { specifier: "./g.ts", typeOnly: false },
    ]);
  });

  it("rejects a file with a syntax error", () => {
    expect(() => importsOf("x.ts", "import { from")).toThrow(SyntaxError);
  });
});
