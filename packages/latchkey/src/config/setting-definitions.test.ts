import { expect, test } from "vitest";

import { settingDefinitions } from "./setting-definitions.ts";

test("every setting has a variable of its own", () => {
  const variables = settingDefinitions.map(({ variable }) => variable);
  expect(new Set(variables).size).toBe(variables.length);
  expect(variables.filter((name) => !/^LATCHKEY(?:_[A-Z]+)+$/.test(name))).toEqual([]);
});

test("exactly four settings are required", () => {
  const required = settingDefinitions.filter((setting) => setting.required);
  expect(required.map(({ option }) => option)).toEqual([
    "secret",
    "baseURL",
    "issuerBaseURL",
    "clientID",
  ]);
});

test.each([
  ["clientID", "LATCHKEY_CLIENT_ID"],
  ["baseURL", "LATCHKEY_BASE_URL"],
  ["idTokenSigningAlg", "LATCHKEY_ID_TOKEN_SIGNING_ALG"],
  ["session.storeIDToken", "LATCHKEY_SESSION_STORE_ID_TOKEN"],
  ["session.cookie.sameSite", "LATCHKEY_SESSION_COOKIE_SAME_SITE"],
])("the option %s is set by the variable %s", (option, variable) => {
  expect(settingDefinitions.find((setting) => setting.option === option)?.variable).toBe(variable);
});
