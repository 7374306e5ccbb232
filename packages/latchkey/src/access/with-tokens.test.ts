import { describe, expect, test } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { readConfig } from "../config/config.ts";
import { createContext } from "../host/create-context.ts";
import { withTokens } from "./refresh.ts";

describe("the tokens of a refresh", () => {
  const tokens = {
    accessToken: "new",
    refreshToken: "new-rt",
    idToken: undefined,
    scope: undefined,
    expiresIn: 60,
    claims: null,
    receivedAt: 1000,
  };
  const data = { user: { sub: "ada" }, accessToken: "old", refreshToken: "old-rt" };
  const context = createContext(readConfig(goodSettings, { hasStore: false }), {
    store: null,
    log: () => undefined,
  });

  test("they replace the tokens that were spent", () => {
    expect(withTokens(context, data, data, tokens)).toEqual({
      user: { sub: "ada" },
      accessToken: "new",
      refreshToken: "new-rt",
      accessTokenExpiresAt: 1060,
    });
  });

  test("what the provider does not tell anew stays as it was, but for the end of the token", () => {
    const { refreshToken: _same, ...silent } = { ...tokens, expiresIn: undefined };
    const before = { ...data, accessTokenScope: "openid a", accessTokenExpiresAt: 5 };
    expect(withTokens(context, before, before, { ...silent, refreshToken: undefined })).toEqual({
      user: { sub: "ada" },
      accessToken: "new",
      accessTokenScope: "openid a",
      refreshToken: "old-rt",
    });
  });

  test("a new scope, the claims of a new ID token and, where it is kept, the token itself come along", () => {
    const claims = { iss: "https://op.example", sub: "ada", name: "Ada" };
    const brought = { ...tokens, scope: "openid b", idToken: "new-id", claims };
    const expected = { user: { sub: "ada", name: "Ada" }, accessTokenScope: "openid b" };
    const kept = withTokens(context, data, data, brought);
    expect(kept).toMatchObject({ ...expected, idToken: "new-id" });
    const settings = { ...goodSettings, session: { storeIDToken: false } };
    const without = createContext(readConfig(settings, { hasStore: false }), {
      store: null,
      log: () => undefined,
    });
    expect(withTokens(without, data, data, brought)).not.toHaveProperty("idToken");
  });

  test.each([{ accessToken: "newer" }, { refreshToken: "newer" }])(
    "they do not replace tokens that somebody else has written meanwhile: %j",
    (newer) => {
      const current = { ...data, ...newer };
      expect(withTokens(context, current, data, tokens)).toBe(current);
    },
  );
});
