import { expect, test } from "vitest";

import { quickRelyingParty } from "../../../test/worlds/quick-relying-party.ts";
import { checkKeptSignIn, checkKnownUser, type KeptSignIn } from "./kept-sign-in.ts";

const { connection } = quickRelyingParty();
const at = 1_800_000_000;
/** The limit, the tolerance, and the rest of the second in which the user authenticated. */
const latest = (at + 300 + 60 + 1) * 1000;
const limited = { ...connection, maxAge: 300, clockTolerance: 60 };

test.each<[string, KeptSignIn]>([
  ["at the limit of max_age", { authTime: at, started: latest }],
  ["of a time that no session has kept", {}],
])("a kept sign-in %s is good enough", (_, kept) => {
  expect(() => checkKeptSignIn(limited, kept)).not.toThrow();
});

test.each<[string, KeptSignIn]>([
  ["older than max_age", { authTime: at, started: latest + 1 }],
  ["without the time of the authentication", { started: latest }],
])("a kept sign-in %s is refused", (_, kept) => {
  expect(() => checkKeptSignIn(limited, kept)).toThrow(
    expect.objectContaining({
      reason: "step_up_unmet",
      unmet: [{ part: "maxAge", required: ["300"] }],
    }),
  );
});

const ofTenant = { ...connection, tenants: ["ours"], identityClaimFilter: ["tid"] };

test("the user of a session is admitted if the settings keep the tenant out of it", () => {
  expect(() => checkKnownUser(ofTenant, { user: {}, claims: null })).not.toThrow();
});

test.each([
  ["names no tenant, which a session may hold", { identityClaimFilter: [] }, {}, null],
  ["names another tenant, held since before the filter", {}, { tid: "another" }, null],
  ["has a new ID token without a tenant", {}, {}, {}],
  ["has a new ID token of another tenant", {}, { tid: "ours" }, { tid: "another" }],
])("the user of a session that %s is refused", (_, settings, user, claims) => {
  expect(() => checkKnownUser({ ...ofTenant, ...settings }, { user, claims })).toThrow(
    expect.objectContaining({ reason: "tenant_not_admitted" }),
  );
});
