import { describe, expect, test, vi } from "vitest";

import { findAlias, identityHeaders, presets, withoutOurCookies } from "./identity-headers.ts";

const settings = {
  preset: "remote",
  userClaim: "sub",
  nameClaim: "name",
  groupsClaim: "realm_access.roles",
  sendsAccessToken: false,
} as const;

function headersOf(claims: object, more: Partial<typeof settings> = {}) {
  const user = { sub: "ada", ...claims };
  return Object.fromEntries(identityHeaders({ ...settings, ...more }, user));
}

/** What a server reads that takes headers as UTF-8. */
const utf8 = (value = "") => Buffer.from(value, "latin1").toString("utf8");

describe("identity headers", () => {
  test("a value of any letters is UTF-8 that fits into a header [GW-033]", () => {
    for (const name of ["Ada Łukasz 日本 é", "naïve", "\u{1F600}"]) {
      const headers = new Headers(headersOf({ name }));
      expect(utf8(headers.get("remote-name") ?? "")).toBe(name);
    }
  });

  test.each([
    ["a\r\nSet-Cookie: x", "a%0D%0ASet-Cookie: x"],
    ["a\0b", "a%00b"],
    [" admin ", "%20admin%20"],
    ["100%", "100%25"],
    ["a%20b", "a%2520b"],
    ["\ud800", "\ufffd"],
  ])("what no header can hold is percent-encoded: %j", (name, expected) => {
    const headers = new Headers(headersOf({ name }));
    expect(utf8(headers.get("remote-name") ?? "")).toBe(expected);
  });

  test.each([
    [["a", "b"], "a,b"],
    [["a,b", "c%2Cd"], "a%2Cb,c%252Cd"],
    ["single", "single"],
    [[1, null, "", "a"], "a"],
    [{ a: 1 }, ""],
    [undefined, ""],
  ])("groups are unambiguous: %j becomes %j", (roles, expected) => {
    expect(headersOf({ realm_access: { roles } })["Remote-Groups"]).toBe(expected);
  });

  test("groups that proxies could not hold are left out as a whole [GW-034]", () => {
    const roles = ["x".repeat(4000), "y".repeat(96)];
    const warn = vi.fn<(message: string) => void>();
    const headers = identityHeaders(settings, { sub: "ada", realm_access: { roles } }, { warn });
    expect(headers).toContainEqual(["Remote-Groups", ""]);
    const most = { roles: ["x".repeat(4000), "y".repeat(95)] };
    expect(headersOf({ realm_access: most })["Remote-Groups"]).toHaveLength(4096);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("more groups than 4096 bytes"));
    expect(headersOf({ realm_access: { roles: roles.slice(1) } })["Remote-Groups"]).not.toBe("");
  });

  test("an email address that is not verified names no user", () => {
    const email = "root@example.com";
    const read = (verified: unknown) =>
      headersOf({ email, email_verified: verified })["Remote-Email"];
    expect(headersOf({ email })["Remote-Email"]).toBe(email);
    expect([true, "true", null].map(read)).toEqual([email, email, email]);
    const others = [false, "false", "False", "", "no", "0", "1", 0, 1, [true], {}];
    expect(others.map(read)).toEqual(others.map(() => ""));
  });

  test("another claim may name the user", () => {
    const named = identityHeaders({ ...settings, userClaim: "upn" }, { sub: "1", upn: "ada" });
    expect(named[0]).toEqual(["Remote-User", "ada"]);
  });

  test.each(Object.entries(presets))(
    "the preset %s has every header, also for no user",
    (preset, names) => {
      const headers = identityHeaders({ ...settings, preset: preset as "remote" }, null);
      expect(headers).toEqual(Object.values(names).map((name) => [name, ""]));
    },
  );
});

test.each([
  ["Remote_User", true],
  ["remote.user", true],
  ["REMOTE!EMAIL", true],
  ["Remote-User", false],
  ["remote-user", false],
  ["RemoteUser", false],
  ["X-Remote_User", false],
])("%s is an alias of an identity header: %s [AP-055]", (name, is) => {
  expect(findAlias("remote", ["Host", "x", name, "ada"])).toBe(is ? name : undefined);
  expect(findAlias("remote", ["Host", name])).toBeUndefined();
});

test.each([
  ["", ""],
  ["a=1", "a=1"],
  ["a=1; s=2; b=3", "a=1; b=3"],
  ["s=2; a=1", "a=1"],
  ["s.0=1;s.1=2; a=x;y", "a=x;y"],
  ["as=1; sa=2", "as=1; sa=2"],
])("of the cookies %j the application gets %j [GW-030]", (cookies, expected) => {
  expect(withoutOurCookies(cookies, ["s", "t"])).toBe(expected);
});

test("the connection is named for an app with several, and empty for one with one [MX-050]", () => {
  const ofAda = (connection?: string) =>
    Object.fromEntries(identityHeaders(settings, { sub: "ada" }, { connection }));
  expect(ofAda("acme")).toMatchObject({ "Remote-Connection": "acme" });
  expect(ofAda()).toMatchObject({ "Remote-Connection": "" });
});
