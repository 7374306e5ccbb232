import { expect, test } from "vitest";

import type { UnmetRequirement } from "../errors/access-errors.ts";
import { explainRefusal } from "./explain-refusal.ts";

const claims = {
  sub: "ada",
  groups: ["staff", "ops"],
  none: [],
  level: 2,
  realm_access: { roles: ["reader"] },
  many: Array.from({ length: 300 }, (_, index) => `group-${index}`),
  long: "x".repeat(500),
  line: "a\nb",
};
const principal = { claims, scopes: ["openid", "profile"], connection: "default" };
const claim = (name: string): UnmetRequirement => ({ part: "claim", name, required: ["admin"] });

test.each([
  [claim("groups"), "claim groups admin (the user has staff, ops)"],
  [claim("none"), "claim none admin (the user has an empty list)"],
  [claim("level"), "claim level admin (the user has 2)"],
  [claim("realm_access.roles"), "claim realm_access.roles admin (the user has reader)"],
  [claim("realm_access"), "claim realm_access admin (the user has { roles })"],
  [{ part: "scope", required: ["write"] }, "scope write (the user has openid profile)"],
  [{ part: "maxAge", required: ["60"] }, "maxAge 60"],
  [{ part: "connection", required: ["acme"] }, "connection acme (the user has default)"],
  [{ part: "rule", required: [] }, "rule"],
] as const)("the log of a refusal by %j names what the user has", (unmet, expected) => {
  expect(explainRefusal([unmet], principal)).toBe(expected);
});

test("the log names the organization of the user", () => {
  const unmet = [{ part: "organization", required: ["acme"] }] as const;
  const ofOther = { ...principal, claims: { sub: "ada", org_name: "other" } };
  expect(explainRefusal(unmet, ofOther)).toBe("organization acme (the user has other)");
});

test("the log names the claims of a user who has not the one of the rule", () => {
  expect(explainRefusal([claim("roles")], principal)).toBe(
    "claim roles admin (the user has no roles, but sub, groups, none, level, realm_access, many, long, line)",
  );
});

test("the log shortens long lists and long values", () => {
  const ofMany = explainRefusal([claim("many")], principal);
  expect(ofMany).toContain("group-7, 292 more)");
  expect(explainRefusal([claim("long")], principal).length).toBeLessThan(100);
});

test("the log names the rule alone if the user is not known", () => {
  expect(explainRefusal([claim("groups"), claim("level")], null)).toBe(
    "claim groups admin; claim level admin",
  );
});
