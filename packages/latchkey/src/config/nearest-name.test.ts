import { expect, test } from "vitest";

import { nearestName } from "./nearest-name.ts";

const names = [
  "SECRET",
  "CLIENT_SECRET",
  "BASE_URL",
  "ISSUER_BASE_URL",
  "TRUSTED_AUDIENCES",
  "SESSION_NAME",
  "SESSION_COOKIE_DOMAIN",
  "session.name",
];

test.each([
  ["CLIENT_SECERT", "CLIENT_SECRET"],
  ["BASEURL", "BASE_URL"],
  ["ISSUER_BASE_URI", "ISSUER_BASE_URL"],
  ["SESION_NAME", "SESSION_NAME"],
  ["SECRETS", "SECRET"],
  ["TRSTD_AUDIENCE", "TRUSTED_AUDIENCES"],
  ["SECRET", "SECRET"],
  ["ISSUER", "ISSUER_BASE_URL"],
  ["ISSUER_URL", "ISSUER_BASE_URL"],
  ["name", "session.name"],
])("the nearest name to %s is %s", (name, expected) => {
  expect(nearestName(name, names)).toBe(expected);
});

test.each([
  ["the nearest one", ["SCOPES", "SCOPESS"]],
  ["the first of two that are as near", ["SCOPES", "SCOPED"]],
])("the meant name is %s", (_, all) => {
  expect(nearestName("SCOPE", all)).toBe("SCOPES");
});

test.each([
  "STORE",
  "COLOUR",
  "",
  "CLIENT_SECRET_THAT_IS_QUITE_ANOTHER",
  "SESSION_COOKIE_HTTP_ONLY",
  "session.store",
  "AUDIENCE",
])("no name is near to %j", (name) => {
  expect(nearestName(name, names)).toBeUndefined();
});
