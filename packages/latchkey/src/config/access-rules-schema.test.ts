import { Ajv2020 } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

import { createPathRules } from "./access-rule.ts";

const file = path.join(import.meta.dirname, "../../../../docs/access-rules.schema.json");
const isValid = new Ajv2020().compile(JSON.parse(readFileSync(file, "utf8")));

function isAccepted(rules: unknown): boolean {
  try {
    createPathRules(rules as Parameters<typeof createPathRules>[0]);
    return true;
  } catch {
    return false;
  }
}

const rule = (value: unknown) => ({ "/admin": value });

test.each([
  [{}],
  [{ "/": { organization: "acme" }, "/admin": { claim: { role: ["admin", true, 3] } } }],
  [rule({ scope: ["a", "b"], maxAge: 300, acr: "mfa" })],
  [rule({ claim: { "realm_access.roles": "admin" } })],
  [rule({ connection: "default" })],
  [rule({ connection: ["acme", "globex-2"] })],
])("the schema for editors and the reader accept the rules %j", (rules) => {
  expect([isValid(rules), isAccepted(rules)]).toEqual([true, true]);
});

test.each([
  [[]],
  [{ admin: {} }],
  [{ "//x": {} }],
  [{ "/y?z": {} }],
  [rule(null)],
  [rule([])],
  [rule("admin")],
  [rule({ scopes: "a" })],
  [rule({ scope: [] })],
  [rule({ scope: "a b" })],
  [rule({ scope: 7 })],
  [rule({ organization: "" })],
  [rule({ maxAge: "60" })],
  [rule({ maxAge: -1 })],
  [rule({ maxAge: 1.5 })],
  [rule({ acr: 'a", b="' })],
  [rule({ connection: [] })],
  [rule({ connection: "Acme" })],
  [rule({ connection: true })],
  [rule({ claim: "admin" })],
  [rule({ claim: { role: null } })],
  [rule({ claim: { role: { admin: true } } })],
  [rule({ claim: { role: [] } })],
  [rule({ claim: { constructor: "x" } })],
])("the schema for editors and the reader refuse the rules %j", (rules) => {
  expect([isValid(rules), isAccepted(rules)]).toEqual([false, false]);
});
