import { describe, expect, it } from "vitest";

import { circlesIn } from "./circles.ts";
import { exportedNames } from "./exported-names.ts";
import { functionsThatTake } from "./functions.ts";
import { leavesOf } from "./leaves.ts";
import { settingsReadIn } from "./setting-reads.ts";

describe("exportedNames", () => {
  it("finds values, types, the default, and those of `export * from` in other files", () => {
    const sources = new Map([
      ["index.ts", `export { a, b as c } from "./a.ts"; export * from "./more/index.ts";`],
      ["more/index.ts", `export type { D } from "../d.ts"; export * from "./e.ts";`],
      ["more/e.ts", "export interface E {} export function f() {} export default 1; const no = 1;"],
    ]);
    expect(exportedNames(sources, "index.ts")).toEqual(["a", "c", "D", "E", "f", "default"]);
  });
});

describe("functionsThatTake", () => {
  it("counts every kind of function with the type anywhere in a parameter", () => {
    const source = [
      "function one(context: Context) {}",
      "const two = ({ config }: Pick<Context, 'config'>) => config;",
      "class Three { method(context: Context | null) {} }",
      "const four = { method(list: readonly Context[]) {} };",
    ].join("\n");
    expect(functionsThatTake("Context", source)).toEqual([1, 2, 3, 4]);
  });

  it("counts no function that returns the type, and no other type", () => {
    const source = [
      "// function no(context: Context) {}",
      "function open(): Context { return made; }",
      "function five(context: RuleContext) {}",
      "interface Six { method(context: Context): void }",
    ].join("\n");
    expect(functionsThatTake("Context", source)).toEqual([]);
  });
});

describe("leavesOf", () => {
  it("counts the members of a group in the same file, so grouping removes none", () => {
    const flat = "interface Context { a: A; b: B; c(): void }";
    const grouped =
      "export interface Context { group: Group; c(): void } interface Group { a: A; b: B }";
    expect(leavesOf(new Map([["x.ts", flat]]), "x.ts", "Context")).toEqual(["a", "b", "c"]);
    expect(leavesOf(new Map([["x.ts", grouped]]), "x.ts", "Context")).toEqual([
      "group.a",
      "group.b",
      "c",
    ]);
  });

  it("counts what a type extends, intersects, omits and picks, also from another file", () => {
    const sources = new Map([
      [
        "a/x.ts",
        `import type { Base as Root } from "../base.ts"; interface All extends Root { x: 1 }`,
      ],
      [
        "base.ts",
        `export type Base = Omit<Full, "gone" | "lost"> & Partial<Pick<Full, "lost">> & { own: { deep: 1 } };
         interface Full { kept: 1; gone: 2; lost: 3; readonly [more: string]: unknown }`,
      ],
    ]);
    expect(leavesOf(sources, "a/x.ts", "All")).toEqual(["kept", "lost", "own.deep", "x"]);
  });

  it("rejects a type that does not exist", () => {
    expect(() => leavesOf(new Map([["x.ts", ""]]), "x.ts", "Context")).toThrow(TypeError);
  });
});

describe("settingsReadIn", () => {
  const read = (source: string) => settingsReadIn(source, ["scope", "clientID"]);

  it.each([
    ["a member", "config.scope"],
    ["a member of a member", "this.#context.config.scope"],
    ["an optional one", "settings?.scope"],
    ["a variable", "const { scope } = context.config;"],
    ["another name of it", "const { scope: wanted } = config;"],
    ["a parameter", "function f({ scope }: Config) {}"],
    ["a part of the type", "const f = ({ scope }: Pick<Config, 'scope'>) => scope;"],
    ["a field of a parameter", "function f({ config: { scope } }: Context) {}"],
    ["a connection", "connection.scope"],
    ["one of all connections", "const { scope } = context.connections.default;"],
    ["that of a session", "connections.ofSession(header).scope"],
    ["that of an issuer", "const { scope } = await connections.ofIssuer(name);"],
  ])("finds a setting read from %s", (_, source) => {
    expect(read(source)).toEqual(["scope"]);
  });

  it.each([
    ["another setting", "config.baseURL"],
    ["a field of another value", "tokens.scope"],
    ["a parameter of another type", "function f({ scope }: Tokens) {}"],
    ["text", '"config.scope"'],
    ["the connections", "const { scope } = context.connections;"],
  ])("does not take %s for one", (_, source) => {
    expect(read(source)).toEqual([]);
  });
});

describe("circlesIn", () => {
  const arrows = (...pairs: readonly string[]) => {
    const names = new Set(pairs.flatMap((pair) => [...pair]));
    return new Map(
      [...names].map((name) => [
        name,
        new Set(pairs.flatMap(([from, to]) => (from === name && to ? [to] : []))),
      ]),
    );
  };

  it("finds no circle where all arrows lead down", () => {
    expect(circlesIn(arrows("ab", "bc", "ac"))).toEqual([]);
  });

  it("finds a pair, and a long circle once, without what only leads to it", () => {
    expect(circlesIn(arrows("ab", "ba", "cd", "de", "ec", "xc"))).toEqual([
      ["a", "b"],
      ["c", "d", "e"],
    ]);
  });
});
