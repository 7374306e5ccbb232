import { describe, expect, test } from "vitest";

import { quickRelyingParty } from "../../test/worlds/quick-relying-party.ts";
import { Refusal } from "../errors/refusal.ts";
import { type CheckList, runChecks } from "../oidc/checks/check.ts";
import { identityChecks, userChecks } from "./user-checks.ts";

const now = 1_800_000_000;
const { connection } = quickRelyingParty(() => now * 1000);
const ofOrganization = (organization: string) => ({ ...connection, organization });
const claims = { iss: "https://op.example", sub: "ada", iat: now };

function reasonOf<Facts>(list: CheckList<Facts>, facts: Facts): string | null {
  try {
    runChecks(list, facts);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
}

describe("the parts of a response are about one user", () => {
  const good = { named: undefined, claims, front: null };

  test.each([
    ["a response that names no issuer", {}],
    ["a response that names the issuer of its ID token", { named: claims.iss }],
    ["a second ID token of the same user", { front: { ...claims, iat: now - 1 } }],
  ])("after %s", (_, more) => {
    expect(reasonOf(identityChecks, { ...good, ...more })).toBeNull();
  });

  test.each([
    ["another issuer (RFC 9207, 2.4)", { named: "https://evil.example" }, "response_iss_mismatch"],
    ["another user", { front: { ...claims, sub: "eve" } }, "token_subject_changed"],
    [
      "the same name at another issuer",
      { front: { ...claims, iss: "https://evil.example" } },
      "token_subject_changed",
    ],
  ])("never with %s", (_, more, reason) => {
    expect(reasonOf(identityChecks, { ...good, ...more })).toBe(reason);
  });
});

describe("a user with a good ID token", () => {
  const time = { now, clockTolerance: 60 };
  const good = {
    claims: { ...claims, org_id: "org_1" },
    connection,
    started: { returnTo: "/" },
    time,
    clockFault: null,
  };

  test.each([
    ["without any requirement", {}],
    ["of the organization of the settings", { connection: ofOrganization("org_1") }],
    ["of the organization of this sign-in", { started: { returnTo: "/", organization: "org_1" } }],
    ["whose token fits the clock of this machine, which is wrong", { clockFault: "an hour ahead" }],
    ["whose session is not over", { claims: { ...claims, session_expiry: now + 1 } }],
  ])("is admitted %s", (_, more) => {
    expect(reasonOf(userChecks, { ...good, ...more })).toBeNull();
  });

  test.each([
    ["the settings", { connection: ofOrganization("org_2") }, "organization_mismatch"],
    [
      "this sign-in",
      {
        connection: ofOrganization("org_1"),
        started: { returnTo: "/", organization: "org_2" },
      },
      "organization_mismatch",
    ],
    [
      "the step-up of this sign-in",
      { started: { returnTo: "/", stepUp: { acr: ["mfa"] } } },
      "step_up_unmet",
    ],
    [
      "the clock of this machine, which is wrong",
      { clockFault: "an hour ahead", claims: { ...claims, iat: now - 61 } },
      "token_issued_at",
    ],
    [
      "an end by the provider that has come",
      { claims: { ...claims, session_expiry: now } },
      "token_expired",
    ],
    [
      "an end by the provider that is no time",
      { claims: { ...claims, session_expiry: "soon" } },
      "token_malformed",
    ],
  ])("is refused by %s", (_, more, reason) => {
    expect(reasonOf(userChecks, { ...good, ...more })).toBe(reason);
  });
});
