import type { Session } from "latchkey";
import { describe, expect, test } from "vitest";

import { accountView } from "./account-data.ts";

const now = 1_800_000_000;
const times = {
  startedAt: now,
  createdAt: now,
  updatedAt: now,
  rollingEndsAt: null,
  absoluteEndsAt: null,
  endsAt: now,
};

function sessionOf(user: Partial<Session["user"]>, more: Partial<Session> = {}): Session {
  return { user: { sub: "person-ada", ...user }, times, ...more };
}

test("a time of which no date can be made is no moment", () => {
  const endless = { accessToken: "at", accessTokenExpiresAt: 1e300 };
  const { access, claims } = accountView(sessionOf({ updated_at: 1e300 }, endless), now);
  expect(access).toEqual({ state: "connected", scopes: [] });
  expect(claims[1]?.claims).toEqual([
    { name: "updated_at", value: { kind: "text", text: "1e+300" } },
  ]);
});

test("claims are made readable, and empty ones are left out", () => {
  const { claims } = accountView(
    sessionOf({
      sid: "technical",
      nickname: "",
      middle_name: null,
      email_verified: false,
      updated_at: 1_700_000_000,
      groups: ["a", "a", "b"],
      roles_of: [{ id: 1 }],
      address: { country: "PT" },
      age: 36,
    }),
    now,
  );
  const values = claims.map(({ name, claims: all }) => [
    name,
    Object.fromEntries(all.map((claim) => [claim.name, claim.value])),
  ]);
  expect(Object.fromEntries(values)).toEqual({
    identity: { sub: { kind: "text", text: "person-ada" } },
    contact: {
      email_verified: { kind: "yes-no", yes: false },
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

describe("access to other services", () => {
  const stateOf = (more: Partial<Session>) => accountView(sessionOf({}, more), now).access?.state;
  const accessToken = "canary";
  const refreshToken = "canary";

  test.each([
    [undefined, {}],
    ["connected", { accessToken }],
    ["until", { accessToken, accessTokenExpiresAt: now + 60 }],
    ["renews", { accessToken, accessTokenExpiresAt: now + 60, refreshToken }],
    ["will-renew", { accessToken, accessTokenExpiresAt: now, refreshToken }],
    ["ended", { accessToken, accessTokenExpiresAt: now }],
  ])("the state of the access is %s", (state, more) => {
    expect(stateOf(more)).toBe(state);
  });

  test("the view of the access has scopes, and never a token", () => {
    const session = sessionOf({}, { accessToken, refreshToken, accessTokenScope: "openid  mail" });
    const view = accountView(session, now);
    expect(view.access?.scopes).toEqual(["openid", "mail"]);
    expect(JSON.stringify(view)).not.toContain("canary");
  });
});
