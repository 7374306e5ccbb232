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

describe("access to other services", () => {
  const accessTokenScope = "openid profile read:reports";
  const stateOf = (more: Partial<Session>) =>
    accountView(sessionOf({}, { accessTokenScope, ...more }), now).access?.state;
  const accessToken = "canary";
  const refreshToken = "canary";

  test.each([
    [undefined, {}],
    ["connected", { accessToken }],
    ["connected", { accessToken, accessTokenExpiresAt: 1e300 }],
    ["until", { accessToken, accessTokenExpiresAt: now + 60 }],
    ["renews", { accessToken, accessTokenExpiresAt: now + 60, refreshToken }],
    ["will-renew", { accessToken, accessTokenExpiresAt: now, refreshToken }],
    ["ended", { accessToken, accessTokenExpiresAt: now }],
  ])("the state of the access is %s", (state, more) => {
    expect(stateOf(more)).toBe(state);
  });

  test.each(["", "openid profile email address phone offline_access"])(
    "access to the person alone is none to other services: %s",
    (scope) => {
      expect(stateOf({ accessToken, accessTokenScope: scope })).toBeUndefined();
    },
  );

  test("the view of the access has no token", () => {
    expect(
      JSON.stringify(
        accountView(sessionOf({}, { accessToken, refreshToken, accessTokenScope }), now),
      ),
    ).not.toContain("canary");
  });
});
