import { describe, expect, test } from "vitest";

import { readConfig } from "./config.ts";
import { optionsFromEnvironment } from "./environment.ts";

const complete = {
  LATCHKEY_SECRET: "0123456789abcdef0123456789abcdef",
  LATCHKEY_BASE_URL: "https://app.example",
  LATCHKEY_ISSUER_BASE_URL: "https://op.example",
  LATCHKEY_CLIENT_ID: "client",
  LATCHKEY_CLIENT_SECRET: "client-secret",
};

function optionsOf(environment: Record<string, string | undefined>) {
  return optionsFromEnvironment(environment).options;
}

test("the five that are needed make a working configuration", () => {
  const { options, storeURL } = optionsFromEnvironment({ ...complete, OTHER: "x" });
  expect(storeURL).toBeUndefined();
  expect(readConfig(options, { hasStore: false })).toMatchObject({
    secrets: [complete.LATCHKEY_SECRET],
    baseURL: "https://app.example",
    issuerBaseURL: "https://op.example",
    clientID: "client",
    clientSecret: "client-secret",
  });
});

test("an empty environment gives no options, and does not throw", () => {
  expect(optionsFromEnvironment({})).toEqual({ options: {}, storeURL: undefined });
});

test("an empty or blank variable is one that is not set", () => {
  expect(optionsOf({ LATCHKEY_SCOPE: "", LATCHKEY_ORGANIZATION: "  " })).toEqual({});
});

test("nested options have their path in the name", () => {
  expect(
    optionsOf({
      LATCHKEY_SESSION_ROLLING_DURATION: "3600",
      LATCHKEY_SESSION_COOKIE_SAME_SITE: "strict",
      LATCHKEY_TRANSACTION_COOKIE_NAME: "pending",
      LATCHKEY_ROUTES_POST_LOGOUT_REDIRECT: "/bye",
    }),
  ).toEqual({
    session: { rollingDuration: 3600, cookie: { sameSite: "strict" } },
    transactionCookie: { name: "pending" },
    routes: { postLogoutRedirect: "/bye" },
  });
});

test("several secrets stand behind one another, the first writes", () => {
  expect(optionsOf({ LATCHKEY_SECRET: " new-secret-0  old-secret-0 " }).secret).toEqual([
    "new-secret-0",
    "old-secret-0",
  ]);
});

describe("kinds of values", () => {
  test.each([
    ["true", true],
    ["YES", true],
    ["on", true],
    ["1", true],
    [" y ", true],
    ["false", false],
    ["No", false],
    ["off", false],
    ["0", false],
    ["n", false],
    ["maybe", "maybe"],
  ])("the flag %j is %j", (text, value) => {
    expect(optionsOf({ LATCHKEY_IDP_LOGOUT: text })).toEqual({ idpLogout: value });
  });

  test.each([
    ["86400", 86_400],
    ["false", false],
    ["off", false],
    ["a day", "a day"],
  ])("the duration %j is %j", (text, value) => {
    expect(optionsOf({ LATCHKEY_SESSION_ABSOLUTE_DURATION: text })).toEqual({
      session: { absoluteDuration: value },
    });
  });

  test("a list is separated by commas or blanks", () => {
    expect(optionsOf({ LATCHKEY_IDENTITY_CLAIM_FILTER: "aud, iss  exp" })).toEqual({
      identityClaimFilter: ["aud", "iss", "exp"],
    });
  });

  test("a record is written like a query", () => {
    expect(
      optionsOf({ LATCHKEY_AUTHORIZATION_PARAMS: "audience=https://api&ui_locales=de%20en" }),
    ).toEqual({ authorizationParams: { audience: "https://api", ui_locales: "de en" } });
  });

  test("a status is a number", () => {
    expect(optionsOf({ LATCHKEY_BACKCHANNEL_LOGOUT_STATUS: "200" })).toEqual({
      backchannelLogoutStatus: 200,
    });
  });
});

test("values that make no sense are reported by createAuth, with their variable", () => {
  const { options } = optionsFromEnvironment({ ...complete, LATCHKEY_IDP_LOGOUT: "maybe" });
  expect(() => readConfig(options, { hasStore: false })).toThrow(
    "LATCHKEY_IDP_LOGOUT / idpLogout: must be true or false (seen: maybe)",
  );
});
