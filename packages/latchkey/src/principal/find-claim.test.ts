import { expect, test } from "vitest";

import { findClaim } from "./find-claim.ts";

const claims = {
  groups: ["staff"],
  realm_access: { roles: ["admin"] },
  resource_access: { "orders.api": { roles: ["reader"] }, orders: { api: { roles: ["wrong"] } } },
  "https://acme.example/app": { role: "owner" },
  "a.b": "exact",
  a: { b: "nested" },
};

test.each([
  ["groups", ["staff"]],
  ["realm_access.roles", ["admin"]],
  ["resource_access.orders.api.roles", ["reader"]],
  ["https://acme.example/app.role", "owner"],
  ["a.b", "exact"],
])("the path %s leads to its claim [AD-030]", (path, expected) => {
  expect(findClaim(claims, path)).toEqual(expected);
});

test.each([
  "roles",
  "realm_access.role",
  "realm_access.roles.0",
  "groups.length",
  "groups.0",
  "realm_access.toString",
  "realm_access.",
  ".groups",
  "constructor.name",
  "__proto__.roles",
  "a.b.c",
])("the path %s leads to no claim", (path) => {
  expect(findClaim(claims, path)).toBeUndefined();
});

test("an inherited object is no claim", () => {
  expect(findClaim(Object.create(claims) as object, "realm_access.roles")).toBeUndefined();
});
