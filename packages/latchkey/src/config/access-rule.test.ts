import { describe, expect, test } from "vitest";

import { createPathRules, requirementsOf } from "./access-rule.ts";

test("a rule is read part by part, one value or a list of them [GW-051]", () => {
  const claim = { role: ["x", "y"], level: 3 };
  const rule = { scope: "a", claim, organization: "org_1", maxAge: 0, acr: ["mfa"] };
  expect(requirementsOf(rule)).toEqual([
    { part: "scope", required: ["a"] },
    { part: "claim", name: "role", required: ["x", "y"] },
    { part: "claim", name: "level", required: [3] },
    { part: "organization", required: ["org_1"] },
    { part: "maxAge", seconds: 0 },
    { part: "acr", required: ["mfa"] },
  ]);
});

test("a rule without any part lets every signed-in user pass [GW-051]", () => {
  expect(requirementsOf({})).toEqual([]);
});

test.each([
  [
    "a part that is misspelt",
    { scopes: "a" },
    "scopes is no part of one (those are scope, claim, organization, maxAge, acr, connection)",
  ],
  ["a part that is undefined", { acr: undefined }, "acr"],
  ["an empty list", { scope: [] }, "scope must not be an empty list"],
  ["an empty text", { organization: "" }, "organization must not be empty"],
  ["several scopes in one text", { scope: "a b" }, "scope must be one word"],
  ["an acr that would end its header", { acr: 'a", b="' }, "acr must be one word"],
  ["a number as text", { maxAge: "60" }, "maxAge must be a number of seconds"],
  ["a negative time", { maxAge: -1 }, "maxAge must not be negative"],
  ["a claim that is an object", { claim: { role: { admin: true } } }, "claim.role"],
  ["a claim that is a name alone", { claim: "admin" }, "claim must be an object of claims"],
  ["a scope that is a number", { scope: 7 }, "scope must be text, or a list of texts"],
  ["a claim without a value", { claim: { role: null } }, "claim.role"],
  ["a claim that every object inherits", { claim: { constructor: "x" } }, "constructor cannot"],
  ["a part that every object inherits", { toString: "x" }, "toString is no part of one"],
  ["a list of rules", [{ scope: "a" }], "it must be a function or a plain object"],
  ["an empty list", [], "it must be a function or a plain object"],
  ["a promise of a rule", Promise.resolve({ scope: "a" }), "it is a promise; await it first"],
  ["a map", new Map([["scope", "a"]]), "it must be a function or a plain object"],
  ["nothing", null, "it must be a function or a plain object"],
  ["a text", "admin", "it must be a function or a plain object"],
])("%s is no access rule, and says so [GW-051]", (_, rule, message) => {
  expect(() => requirementsOf(rule)).toThrow(TypeError);
  expect(() => requirementsOf(rule)).toThrow(message);
});

describe("the rules of paths", () => {
  test("are for a path in any case of letters, with or without a slash at its end [GW-044]", () => {
    const rule = { scope: "a" };
    const rules = createPathRules({ "/Admin//": rule, "/": rule });
    expect(rules.map(({ path }) => path)).toEqual(["/admin", ""]);
  });

  test("may be functions", () => {
    const rule = () => true;
    expect(createPathRules({ "/admin": rule })).toEqual([{ path: "/admin", rule }]);
  });

  test("are refused with every fault, each named by its path [GW-044]", () => {
    const rules = { admin: {}, "//x": {}, "/y?z": {}, "/ok": { scpe: "a" } as object };
    expect(() => createPathRules(rules)).toThrow(
      /\["admin"\][^]*\["\/\/x"\][^]*\["\/y\?z"\][^]*scpe is no part/,
    );
  });
});
