import { expect, test } from "vitest";

import { claimGroups } from "./details-data.ts";

test("claims are made readable, and empty ones are left out", () => {
  const values = claimGroups({
    sub: "person-ada",
    sid: "technical",
    nickname: "",
    middle_name: null,
    email_verified: false,
    phone_number_verified: "false",
    updated_at: 1_700_000_000,
    groups: ["a", "a", "b"],
    roles_of: [{ id: 1 }],
    address: { country: "PT" },
    age: 36,
  }).map(({ name, claims: all }) => [
    name,
    Object.fromEntries(all.map((claim) => [claim.name, claim.value])),
  ]);
  expect(Object.fromEntries(values)).toEqual({
    contact: {
      email_verified: { kind: "yes-no", yes: false },
      phone_number_verified: { kind: "yes-no", yes: false },
      address: { kind: "json", text: '{\n  "country": "PT"\n}' },
    },
    membership: { groups: { kind: "list", items: ["a", "b"] } },
    other: {
      updated_at: { kind: "moment", at: 1_700_000_000 },
      age: { kind: "text", text: "36" },
      roles_of: { kind: "json", text: '[\n  {\n    "id": 1\n  }\n]' },
    },
  });
});

test("a time of which no date can be made is no moment", () => {
  const [other] = claimGroups({ sub: "person-ada", updated_at: 1e300 });
  expect(other?.claims).toEqual([{ name: "updated_at", value: { kind: "text", text: "1e+300" } }]);
});
