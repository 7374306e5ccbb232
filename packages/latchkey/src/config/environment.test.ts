import { describe, expect, test } from "vitest";

import { goodVariables } from "../../test/settings.ts";
import { readConfig } from "./config.ts";
import { optionsFromEnvironment } from "./environment.ts";

function optionsOf(environment: Record<string, string | undefined>) {
  return optionsFromEnvironment(environment).options;
}

test("five variables make a working configuration", () => {
  const { options, storeURL } = optionsFromEnvironment({ ...goodVariables, OTHER: "x" });
  expect(storeURL).toBeUndefined();
  expect(readConfig(options, { hasStore: false })).toMatchObject({
    secrets: [goodVariables.LATCHKEY_SECRET],
    baseURL: "https://app.example",
    issuerBaseURL: "https://op.example",
    clientID: "client",
    clientSecret: "client-secret",
  });
});

test("an empty environment gives no options and no warnings", () => {
  const nothing = { options: {}, storeURL: undefined, secretFiles: [], warnings: [] };
  expect(optionsFromEnvironment({})).toEqual(nothing);
});

test("an empty or blank variable counts as absent", () => {
  const blank = { LATCHKEY_SCOPE: "", LATCHKEY_STORE: " ", LATCHKEY_TYPO: "", NODE_ENV: " " };
  expect(optionsFromEnvironment(blank)).toEqual(optionsFromEnvironment({}));
});

test("the variable of a nested option has its path in the name", () => {
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

test("several secrets are separated by blanks and keep their order", () => {
  const { secret } = optionsOf({ LATCHKEY_SECRET: " new-secret-0  old-secret-0 " });
  expect(secret).toEqual(["new-secret-0", "old-secret-0"]);
});

describe("the option production", () => {
  test.each([
    [{ NODE_ENV: "production" }, true],
    [{ NODE_ENV: "development" }, false],
    [{ NODE_ENV: "test" }, undefined],
    [{ NODE_ENV: "production", LATCHKEY_PRODUCTION: "false" }, false],
    [{ NODE_ENV: "development", LATCHKEY_PRODUCTION: "true" }, true],
  ])("is set by %j to %j", (environment, production) => {
    expect(optionsOf(environment).production).toBe(production);
  });
});

describe("an unknown variable", () => {
  function warningsFor(name: string, known?: readonly string[]): readonly string[] {
    return optionsFromEnvironment({ ...goodVariables, [name]: "x" }, known).warnings;
  }

  test.each([
    ["LATCHKEY_CLIENT_SECERT", "LATCHKEY_CLIENT_SECRET"],
    ["LATCHKEY_BASEURL", "LATCHKEY_BASE_URL"],
    ["LATCHKEY_SESSION_ROLLING_DURATON", "LATCHKEY_SESSION_ROLLING_DURATION"],
    ["LATCHKEY_STOER", "LATCHKEY_STORE"],
    ["LATCHKEY_SESION_STATEFUL", "LATCHKEY_SESSION_STATEFUL"],
  ])("is named with the nearest setting: %s [OP-066]", (name, meant) => {
    expect(warningsFor(name)).toEqual([
      `${name} is set, but there is no setting of that name. Did you mean ${meant}?`,
    ]);
  });

  test("beside the file of the same secret is a warning", () => {
    const twice = { ...goodVariables, LATCHKEY_SECRET_FILE: "/run/secret" };
    expect(optionsFromEnvironment(twice).warnings).toEqual([
      "LATCHKEY_SECRET and LATCHKEY_SECRET_FILE are both set, and the file counts. Remove one of them.",
    ]);
  });

  test("of a removed setting is named with what to do instead", () => {
    expect(warningsFor("LATCHKEY_KEEP_FRAGMENT")).toEqual([
      expect.stringMatching(
        /^LATCHKEY_KEEP_FRAGMENT is no setting any more\. .*Remove the setting\.$/,
      ),
    ]);
  });

  test("is named alone without a similar setting", () => {
    expect(warningsFor("LATCHKEY_FAVOURITE_COLOUR")).toEqual([
      "LATCHKEY_FAVOURITE_COLOUR is set, but there is no setting of that name. Remove it, or give it a name without LATCHKEY_ where your app reads it.",
    ]);
  });

  test("may belong to the app itself", () => {
    expect(warningsFor("LATCHKEY_APP_NAME", ["LATCHKEY_APP_NAME"])).toEqual([]);
    expect(warningsFor("LATCHKEY_PROVIDER_PORT", ["LATCHKEY_PROVIDER_*"])).toEqual([]);
    expect(warningsFor("LATCHKEY_APP_NAEM", ["LATCHKEY_APP_NAME"])).toEqual([
      expect.stringContaining("Did you mean LATCHKEY_APP_NAME?"),
    ]);
  });

  test("is named with the first setting that has all of its words, if none is similar", () => {
    expect(warningsFor("LATCHKEY_ISSUER")).toEqual([
      expect.stringContaining("Did you mean LATCHKEY_ISSUER_BASE_URL?"),
    ]);
  });

  test("is ignored without the prefix LATCHKEY_", () => {
    expect(warningsFor("CLIENT_SECERT")).toEqual([]);
  });
});

test.each([`"client-secret"`, ` 'client-secret' `])(
  "the start warns of quotation marks in a value, as Docker reads them from a file: %s",
  (LATCHKEY_CLIENT_SECRET) => {
    const { warnings } = optionsFromEnvironment({ ...goodVariables, LATCHKEY_CLIENT_SECRET });
    expect(warnings).toEqual([
      "The quotation marks around LATCHKEY_CLIENT_SECRET are part of its value. Remove them.",
    ]);
  },
);

describe("a value of the environment", () => {
  test.each([
    ...["true", "YES", "on", "1", " y "].map((text) => [text, true]),
    ...["false", "No", "off", "0", "n"].map((text) => [text, false]),
    ["maybe", "maybe"],
  ] as [string, unknown][])("for a boolean, %j, is read as %j", (text, value) => {
    expect(optionsOf({ LATCHKEY_IDP_LOGOUT: text })).toEqual({ idpLogout: value });
  });

  test.each([
    ["86400", 86_400],
    ["false", false],
    ["off", false],
    ["a day", "a day"],
  ])("for a duration, %j, is read as %j", (text, value) => {
    const options = optionsOf({ LATCHKEY_SESSION_ABSOLUTE_DURATION: text });
    expect(options).toEqual({ session: { absoluteDuration: value } });
  });

  test("for a list is separated by commas or blanks", () => {
    const identityClaimFilter = ["aud", "iss", "exp"];
    const options = optionsOf({ LATCHKEY_IDENTITY_CLAIM_FILTER: "aud, iss  exp" });
    expect(options).toEqual({ identityClaimFilter });
  });

  test("for a record is read like a query", () => {
    const LATCHKEY_AUTHORIZATION_PARAMS = "audience=https://api&ui_locales=de%20en";
    const authorizationParams = { audience: "https://api", ui_locales: "de en" };
    expect(optionsOf({ LATCHKEY_AUTHORIZATION_PARAMS })).toEqual({ authorizationParams });
  });

  test("for a status is read as a number", () => {
    const options = optionsOf({ LATCHKEY_BACKCHANNEL_LOGOUT_STATUS: "200" });
    expect(options).toEqual({ backchannelLogoutStatus: 200 });
  });
});

test("an invalid value is reported with its variable when the settings are checked", () => {
  const { options } = optionsFromEnvironment({ ...goodVariables, LATCHKEY_IDP_LOGOUT: "maybe" });
  expect(() => readConfig(options, { hasStore: false })).toThrow(
    "LATCHKEY_IDP_LOGOUT / idpLogout: must be true or false (seen: maybe)",
  );
});

test("files of secrets are named by variables of their own, and are no unknown variables [OP-082]", () => {
  const read = optionsFromEnvironment({
    LATCHKEY_SECRET_FILE: "/run/secrets/session",
    LATCHKEY_CLIENT_SECRET_FILE: " ",
    LATCHKEY_CLIENT_ASSERTION_SIGNING_KEY_FILE: "/run/secrets/key.pem",
    LATCHKEY_SCOPE_FILE: "/run/scope",
  });
  expect(read.secretFiles.map(({ path, file }) => [...path, file])).toEqual([
    ["secret", "/run/secrets/session"],
    ["clientAssertionSigningKey", "/run/secrets/key.pem"],
  ]);
  expect(read.warnings).toEqual([expect.stringContaining("LATCHKEY_SCOPE_FILE")]);
});
