import { describe, expect, test } from "vitest";

import {
  formatHandle,
  parseHandle,
  providerSessionTag,
  recordKey,
  type SessionHandle,
  sessionIdOf,
  userIndex,
  userTag,
} from "./session-handle.ts";

const registration = { issuer: "https://op.example", client: "client" };
const secret = "s".repeat(43);
const tag = "t".repeat(16);
const keyId = "k".repeat(8);

describe("the value of a cookie", () => {
  test.each(["p".repeat(16), undefined])(
    "a handle is read as it was written, with the tag %s",
    (sidTag) => {
      const handle: SessionHandle = { subTag: tag, secret, sidTag, keyId };
      expect(parseHandle(formatHandle(handle))).toEqual(handle);
    },
  );

  test.each([
    "x",
    secret,
    `${tag}.${secret}`,
    `${tag}.${secret}.${tag}`,
    `${tag}.${secret}.${tag}.`,
    `${tag}.${secret.slice(1)}..${keyId}`,
    `${tag}.${secret}s..${keyId}`,
    `${tag}x.${secret}..${keyId}`,
    `.${secret}..${keyId}`,
    `${tag}|${secret}..${keyId}`,
    `${tag}.${secret}.${tag}.${keyId}\n`,
    `${tag}.${secret}.${tag}.${keyId}.x`,
    "session|abc",
    "../../etc",
  ])("a text of another form is no handle: %j", (value) => {
    expect(parseHandle(value)).toBeNull();
  });
});

describe("tags", () => {
  test("a user has the same tag at every sign-in, and no other user has it", () => {
    const tags = ["ada", "ada2", "ad", ""].map((sub) => userTag(registration, sub));
    expect(userTag(registration, "ada")).toBe(tags[0]);
    expect(new Set(tags).size).toBe(4);
    expect(tags.join()).not.toContain("ada");
  });

  test("the same name at another issuer or client has another tag", () => {
    const others = [{ issuer: "https://other.example" }, { client: "other" }];
    const tags = others.map((other) => userTag({ ...registration, ...other }, "ada"));
    expect(new Set([...tags, userTag(registration, "ada")]).size).toBe(3);
  });

  test("a sub and a sid of the same text have different tags", () => {
    expect(providerSessionTag(registration, "x")).not.toBe(userTag(registration, "x"));
  });
});

describe("the place in the store", () => {
  test("a record lies under the tag of its user and a hash of the secret, never the secret itself", () => {
    const key = recordKey({ subTag: tag, secret, sidTag: undefined, keyId });
    expect(key).toMatch(/^session\|t{16}\|[\w-]{43}$/);
    expect(key).not.toContain(secret);
  });

  test("the id of a session does not reveal its secret", () => {
    expect(sessionIdOf({ secret })).toMatch(/^[\w-]{22}$/);
    expect(secret).not.toContain(sessionIdOf({ secret }));
  });
});

test("the sessions of each user are listed in a place of their own", () => {
  expect(userIndex(userTag(registration, "ada"))).not.toBe(userIndex(userTag(registration, "ben")));
});
