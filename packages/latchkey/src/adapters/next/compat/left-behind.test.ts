import { expect, test } from "vitest";

import { goodVariables } from "../../../../test/settings.ts";
import { optionsWithStore } from "../../environment/auth-from-environment.ts";
import { withWarningsOfMove } from "./left-behind.ts";

/** What the log says at the start of an app with these variables beside good ones. */
function warningsOf(more: Record<string, string>): readonly string[] {
  const environment = { ...goodVariables, ...more };
  return optionsWithStore(environment, withWarningsOfMove(environment, {})).warnings ?? [];
}

test.each([
  ["LATCHKEY_AUDIENCE", "Write LATCHKEY_AUTHORIZATION_PARAMS=audience="],
  ["LATCHKEY_ENABLE_TELEMETRY", "Delete it: no header Auth0-Client"],
  ["LATCHKEY_LEGACY_SAME_SITE_COOKIE", "Delete it: no such cookie"],
  ["LATCHKEY_LOGOUT", "Delete it: logout always goes to the end-session endpoint"],
  ["LATCHKEY_SESSION_AUTO_SAVE", "Delete it: each use of a rolling session renews it"],
  ["LATCHKEY_SESSION_COOKIE_HTTP_ONLY", "Delete it: the cookie is always HttpOnly"],
])("after the move %s is named with what to do, and no other name is guessed", (name, remedy) => {
  expect(warningsOf({ [name]: "false" })).toEqual([
    expect.stringContaining(`${name} has no counterpart here. ${remedy}`),
  ]);
});

test("an app without them is told nothing, and others are still guessed", () => {
  expect(warningsOf({ LATCHKEY_LOGOUT: " " })).toEqual([]);
  expect(warningsOf({ LATCHKEY_SCOEP: "openid" })).toEqual([
    expect.stringContaining("Did you mean LATCHKEY_SCOPE?"),
  ]);
});

test("what an app gives itself stays beside the warnings", () => {
  const given = { clientID: "app", knownVariables: ["LATCHKEY_APP_NAME"], warnings: ["its own"] };
  const environment = { ...goodVariables, LATCHKEY_LOGOUT: "x", LATCHKEY_APP_NAME: "Shop" };
  const options = optionsWithStore(environment, withWarningsOfMove(environment, given));
  expect(options.clientID).toBe("app");
  expect(options.warnings).toEqual([
    expect.stringContaining("LATCHKEY_LOGOUT has no counterpart"),
    "its own",
  ]);
});
