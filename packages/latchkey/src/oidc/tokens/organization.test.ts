import { describe, expect, test } from "vitest";

import { Refusal } from "../../errors/refusal.ts";
import { runChecks } from "../checks/check.ts";
import { ownOrganizationCheck } from "./organization.ts";

type Facts = Parameters<typeof ownOrganizationCheck.holds>[0];

function checkOrganization(connection: Facts["connection"], claims: Facts["claims"]): void {
  runChecks({ title: "User", checks: [ownOrganizationCheck] }, { claims, connection });
}

function refusalOf(claims: Record<string, unknown>, expected: string): Refusal | null {
  try {
    checkOrganization({ organization: expected }, claims);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

describe("a sign-in for an organization is accepted", () => {
  test.each([
    ["org_abc", { org_id: "org_abc" }],
    ["org_abc", { org_id: "org_abc", org_name: "other" }],
    ["harbour", { org_name: "harbour" }],
    ["Harbour", { org_name: "harbour" }],
  ])("%s with %j", (expected, claims) => {
    expect(refusalOf(claims, expected)).toBeNull();
  });

  test("with any claims if no organization is configured", () => {
    expect(() => checkOrganization({ organization: undefined }, {})).not.toThrow();
  });
});

describe("a sign-in for an organization is refused", () => {
  const id = "Organization Id (org_id) claim";
  const name = "Organization Name (org_name) claim";
  const other = (expected: string, found: string) =>
    `value mismatch in the ID token; expected "${expected}", found "${found}"`;
  test.each([
    ["org_abc", {}, `${id} must be a string present in the ID token`],
    ["org_abc", { org_name: "org_abc" }, `${id} must be a string present in the ID token`],
    ["org_abc", { org_id: ["org_abc"] }, `${id} must be a string present in the ID token`],
    ["org_abc", { org_id: null }, `${id} must be a string present in the ID token`],
    ["org_abc", { org_id: "org_ABC" }, `${id} ${other("org_abc", "org_ABC")}`],
    ["harbour", {}, `${name} must be a string present in the ID token`],
    ["harbour", { org_id: "harbour" }, `${name} must be a string present in the ID token`],
    ["Harbour", { org_name: "Harbour" }, `${name} ${other("harbour", "Harbour")}`],
    ["harbour", { org_name: "harbour " }, `${name} ${other("harbour", "harbour ")}`],
  ])("%s with %j", (expected, claims, detail) => {
    const refusal = refusalOf(claims, expected);
    expect(refusal?.reason).toBe("organization_mismatch");
    expect(refusal?.detail).toBe(detail);
    expect(refusal?.status).toBe(400);
  });

  test("with no more of a claim in the log than a hundred characters", () => {
    const found = "x".repeat(1000);
    expect(refusalOf({ org_name: found }, "harbour")?.detail).toMatch(/found "x{100}"$/);
  });

  test("with the email and organization for the page of that same user", () => {
    const claims = { org_name: "orchard", org_id: "org_1", email: "a@example.com", name: "A" };
    expect(refusalOf(claims, "harbour")?.person).toEqual({
      email: "a@example.com",
      organization: "orchard",
      expected: "harbour",
    });
    const unnamed = refusalOf({ email: 7, org_name: 7 }, "harbour");
    expect(unnamed?.person).toEqual({ expected: "harbour" });
  });
});
