import { optionsFromEnvironment } from "latchkey";
import { expect, test } from "vitest";

import { withMoveWarnings } from "./move-warnings.ts";

test.each([
  ["LATCHKEY_AUDIENCE", "Write LATCHKEY_AUTHORIZATION_PARAMS=audience="],
  ["LATCHKEY_ENABLE_TELEMETRY", "Delete it: no header Auth0-Client"],
  ["LATCHKEY_LEGACY_SAME_SITE_COOKIE", "Delete it: no such cookie"],
  ["LATCHKEY_LOGOUT", "Delete it: logout always goes to the end-session endpoint"],
  ["LATCHKEY_SESSION_AUTO_SAVE", "Delete it: each use of a rolling session renews it"],
  ["LATCHKEY_SESSION_COOKIE_HTTP_ONLY", "Delete it: the cookie is always HttpOnly"],
])("a warning says what to do with %s, and the engine does not guess at it", (name, remedy) => {
  const environment = { [name]: "false" };
  const { warnings, knownVariables } = withMoveWarnings(environment, {});
  expect(warnings).toEqual([expect.stringContaining(`${name} has no counterpart here. ${remedy}`)]);
  expect(optionsFromEnvironment(environment, knownVariables).warnings).toEqual([]);
});

test("an empty variable needs no warning, and the engine still guesses at other names", () => {
  const environment = { LATCHKEY_LOGOUT: " ", LATCHKEY_SCOEP: "openid" };
  const { warnings, knownVariables } = withMoveWarnings(environment, {});
  expect(warnings).toEqual([]);
  expect(optionsFromEnvironment(environment, knownVariables).warnings).toEqual([
    expect.stringContaining("Did you mean LATCHKEY_SCOPE?"),
  ]);
});

test("the options, known variables and warnings of the app stay", () => {
  const given = { clientID: "app", knownVariables: ["LATCHKEY_APP_NAME"], warnings: ["its own"] };
  const options = withMoveWarnings({ LATCHKEY_LOGOUT: "x" }, given);
  expect(options.clientID).toBe("app");
  expect(options.knownVariables).toContain("LATCHKEY_APP_NAME");
  expect(options.warnings).toEqual([
    expect.stringContaining("LATCHKEY_LOGOUT has no counterpart"),
    "its own",
  ]);
});
