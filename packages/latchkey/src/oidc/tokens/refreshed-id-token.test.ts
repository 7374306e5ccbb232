import { expect, test } from "vitest";

import { textOf } from "../../errors/reasons.ts";
import { checkRefreshedIDToken } from "./refreshed-id-token.ts";

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const idToken = `${encode({ alg: "RS256" })}.${encode({ nonce: "n", auth_time: 10 })}.c2ln`;
const claims = { iss: "https://op.example", sub: "ada", iat: 1_800_000_000 };
const former = { sub: "ada", idToken };

test.each([
  ["nothing more", {}, former],
  ["the same nonce", { nonce: "n" }, former],
  ["the same auth_time", { auth_time: 10 }, former],
  ["another auth_time, which is that of the refresh", { auth_time: 11 }, former],
  ["another nonce, where no ID token was kept", { nonce: "x" }, { sub: "ada", idToken: undefined }],
])(
  "a refreshed ID token with the same subject and %s is taken (OpenID Connect Core 12.2)",
  (_, more, before) => {
    expect(() => checkRefreshedIDToken({ ...claims, ...more }, before)).not.toThrow();
  },
);

test.each([
  ["sub", { sub: "eve" }, "token_subject_changed"],
  ["nonce", { nonce: "x" }, "token_nonce"],
] as const)(
  "a refreshed ID token with another %s is refused, and the text says so (OpenID Connect Core 12.2)",
  (name, more, reason) => {
    expect(() => checkRefreshedIDToken({ ...claims, ...more }, former)).toThrow(
      expect.objectContaining({ reason, kind: "id_token" }) as Error,
    );
    expect(textOf(reason, "id_token")).toContain(name === "sub" ? "subject" : name);
  },
);

test("a refreshed ID token of another tenant is refused, if both name one", () => {
  const withTenant = `${encode({ alg: "RS256" })}.${encode({ nonce: "n", tid: "ours" })}.c2ln`;
  const check = (more: object, before: string) =>
    checkRefreshedIDToken({ ...claims, ...more }, { sub: "ada", idToken: before });
  expect(() => check({ tid: "ours" }, withTenant)).not.toThrow();
  expect(() => check({}, withTenant)).not.toThrow();
  expect(() => check({ tid: "theirs" }, idToken)).not.toThrow();
  expect(() => check({ tid: "theirs" }, withTenant)).toThrow(
    expect.objectContaining({ reason: "token_subject_changed" }) as Error,
  );
});
