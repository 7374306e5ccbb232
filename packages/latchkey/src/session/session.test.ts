import { describe, expect, test } from "vitest";

import { hasScopes, isSessionData, isSealedHeader, type SessionData, storable } from "./session.ts";

describe("what may be stored", () => {
  test("names other readers of the cookie would act on are left out", () => {
    const session = { user: { sub: "ada" }, theme: "dark" };
    const reserved = {
      iss: "x",
      sub: "x",
      aud: "x",
      exp: 1,
      nbf: 9e9,
      iat: 1,
      jti: "x",
      times: {},
    };
    expect(storable({ ...session, ...reserved })).toEqual(session);
  });

  test.each([{}, { user: null }, { user: "ada" }, { user: {} }, { user: { sub: 7 } }, null, "x"])(
    "%j is refused, because it has no user with a sub",
    (value) => {
      expect(isSessionData(value)).toBe(false);
      expect(() => storable(value as unknown as SessionData)).toThrow(
        new TypeError("A session needs a user with a sub."),
      );
    },
  );

  test.each([
    ["that says something else of itself", { sub: "ada", toJSON: () => ({ id: 7 }) }],
    ["that says nothing of itself", { sub: "ada", toJSON: () => undefined }],
    ["that only inherits its sub", Object.create({ sub: "ada" }) as { sub: string }],
  ])("a user %s in JSON is refused: the session could not be read again", (_, user) => {
    expect(() => storable({ user })).toThrow(new TypeError("A session needs a user with a sub."));
  });

  test("what is stored is what the next request reads", () => {
    const since = new Date("2026-01-01T00:00:00.000Z");
    const session = { user: { sub: "ada" }, since, left: undefined, rate: Number.NaN };
    expect(storable(session)).toStrictEqual({
      user: { sub: "ada" },
      since: since.toISOString(),
      rate: null,
    });
    expect(() => storable({ user: { sub: "ada" }, count: 1n })).toThrow(TypeError);
  });
});

test.each([
  [{ uat: 1, iat: 0, exp: 2 }, true],
  [{ uat: 1, iat: 0, exp: 2, id: "x", started: 5, subTag: "x", sidTag: "x" }, true],
  [{ uat: 1, iat: 0 }, false],
  [{ uat: 1, iat: 0, exp: 2 ** 53 }, false],
  [{ uat: 1, iat: 0, exp: 2, started: -1 }, false],
])("the header %j is one of a session: %s", (header, isOne) => {
  expect(isSealedHeader(header)).toBe(isOne);
});

test.each([
  ["openid a b", ["b", "openid"], true],
  ["openid a b", [], true],
  ["openid a b", ["a", "c"], false],
  [undefined, [], true],
  ["openid ab", ["a"], false],
  [undefined, ["a"], false],
  [["a"] as unknown as string, ["a"], false],
])("of the scopes %j, all of %j were granted: %s", (accessTokenScope, scopes, isGranted) => {
  const token = accessTokenScope === undefined ? {} : { accessTokenScope };
  expect(hasScopes(token, scopes)).toBe(isGranted);
});
