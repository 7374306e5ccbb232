import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect, test } from "vitest";

import type { Log } from "../../telemetry/log-event.ts";
import { createMemberReader } from "./provider-document.ts";
import { fetchKeys, usableKeys } from "./signing-keys.ts";

const jwkOf = (key: KeyObject) => key.export({ format: "jwk" });
const rsa = jwkOf(generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey);
const p256 = jwkOf(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey);
const p384 = jwkOf(generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey);
const ed25519 = jwkOf(generateKeyPairSync("ed25519").publicKey);

const address = "https://op.example/keys";

function fetched(response: Response, log: Log = () => undefined) {
  return fetchKeys(address, async () => response, createMemberReader(log));
}

/** The number of keys of a set that may verify a token with this key id, or with none. */
async function usableOf(keys: readonly unknown[], alg = "RS256", kid?: string): Promise<number> {
  const set = await fetched(Response.json({ keys }));
  const header = { alg, ...(kid === undefined ? {} : { kid }) };
  return (await usableKeys(set.value, { header, payload: {} })).length;
}

test.each([
  ["RS256", rsa],
  ["PS512", rsa],
  ["ES256", p256],
  ["ES384", p384],
  ["EdDSA", ed25519],
  ["Ed25519", ed25519],
])(
  "for %s a key of its type and curve may verify, and no other (RFC 7518, 3.1)",
  async (alg, key) => {
    expect(await usableOf([key], alg)).toBe(1);
    for (const other of [rsa, p256, p384, ed25519].filter((each) => each !== key)) {
      expect(await usableOf([other], alg)).toBe(0);
    }
  },
);

test.each([
  ["use sig", { use: "sig" }],
  ["the configured alg", { alg: "RS256" }],
  ["the operation verify", { key_ops: ["verify"] }],
  ["unknown members", { x5c: 7, "x5t#S256": {}, made: "yesterday" }],
  ["all optional members null", { use: null, alg: null, key_ops: null, kid: null, issuer: null }],
  ["the members of other types null", { crv: null, x: null, y: null, d: null }],
  ["an empty use", { use: "" }],
  ["a number as use", { use: 7 }],
  ["an empty alg", { alg: "" }],
  ["a number as alg", { alg: 256 }],
  ["a list as alg", { alg: ["RS256"] }],
  ["a number as key_ops", { key_ops: 5 }],
  ["one operation as text", { key_ops: "verify" }],
  ["a number as kid", { kid: 1 }],
  ["an object as kid", { kid: {} }],
  ["a number as crv, which its type has not", { crv: 0 }],
])("a key with %s may verify (RFC 7517, section 4)", async (_, members) => {
  expect(await usableOf([{ ...rsa, ...members }])).toBe(1);
});

describe("a key is skipped, and the others serve, when its member", () => {
  test.each([
    ["use is for encryption", { use: "enc" }],
    ["use is a list without sig", { use: ["enc"] }],
    ["key_ops is another operation as text", { key_ops: "encrypt" }],
    ["issuer is a number", { issuer: 7 }],
    ["issuer is empty", { issuer: "" }],
    ["alg is another of the same key type", { alg: "PS256" }],
    ["key_ops lacks verify", { key_ops: ["encrypt"] }],
    ["key_ops is empty", { key_ops: [] }],
    ["kty is missing", { kty: undefined }],
    ["kty is a list", { kty: ["RSA"] }],
    ["n is a number", { n: 3 }],
    ["n is no base64url", { n: "!" }],
    ["e is an object", { e: {} }],
  ])("%s (RFC 7517, section 4)", async (_, members) => {
    const odd = { ...rsa, ...members };
    expect(await usableOf([odd])).toBe(0);
    expect(await usableOf([odd, rsa])).toBe(1);
  });

  test.each([[null], [7], ["text"], [[]], [{}]])("the key is %j", async (odd) => {
    expect(await usableOf([odd, rsa])).toBe(1);
  });

  test("alg names the same algorithm of Ed25519 otherwise, it is not skipped (RFC 9864)", async () => {
    expect(await usableOf([{ ...ed25519, alg: "EdDSA" }], "Ed25519")).toBe(1);
    expect(await usableOf([{ ...ed25519, alg: "Ed25519" }], "EdDSA")).toBe(1);
    expect(await usableOf([{ ...ed25519, alg: "ES256" }], "EdDSA")).toBe(0);
    expect(await usableOf([{ ...ed25519, alg: "constructor" }], "EdDSA")).toBe(0);
  });
});

test("the log has one warning for each unusable member of the keys", async () => {
  const messages: unknown[] = [];
  const log: Log = (event) => messages.push("message" in event && event.message);
  const odd = { ...rsa, kid: 1, use: "" };
  await fetched(Response.json({ keys: [odd, odd, { ...rsa, alg: null, use: "enc" }] }), log);
  expect(messages).toEqual([
    "The provider's keys: use is an empty text, not a text, and counts as absent.",
    "The provider's keys: kid is a number, not a text, and counts as absent.",
  ]);
});

test("a token with a key id is verified by the keys of that id alone", async () => {
  const keys = [{ ...rsa, kid: "one" }, { ...rsa, kid: "two" }, rsa];
  expect(await usableOf(keys, "RS256", "one")).toBe(1);
  expect(await usableOf(keys, "RS256", "three")).toBe(0);
  expect(await usableOf(keys, "RS256", "__proto__")).toBe(0);
  expect(await usableOf(keys)).toBe(3);
});

test("one key of a set verifies tokens of each algorithm of its type", async () => {
  const set = await fetched(Response.json({ keys: [rsa] }));
  const keysFor = async (alg: string) => usableKeys(set.value, { header: { alg }, payload: {} });
  const [[first], [other]] = await Promise.all([keysFor("RS256"), keysFor("PS256")]);
  expect([typeof first, typeof other]).toEqual(["function", "function"]);
  expect(first).not.toBe(other);
});

test.each([
  ["RS256", p256, rsa],
  ["ES256", p384, p256],
])("for %s keys of another kind do not count among those tried", async (alg, decoy, key) => {
  const decoys = Array.from({ length: 6 }, () => decoy);
  expect(await usableOf([...decoys, key], alg)).toBe(1);
});

test("at most five keys are tried for one token", async () => {
  expect(await usableOf(Array.from({ length: 9 }, () => rsa))).toBe(5);
});

describe("a key set is refused", () => {
  const answered = (status: number, body: unknown) => fetched(Response.json(body, { status }));

  test.each([
    ["without keys", 200, {}, "keys_invalid", "keys is missing, not a list"],
    ["whose keys are no list", 200, { keys: { 0: rsa } }, "keys_invalid", "keys is an object"],
    ["of too many keys", 200, { keys: Array(101).fill(rsa) }, "keys_invalid", "101 keys"],
    ["that is a list itself", 200, [rsa], "keys_invalid", "not a JSON object: it is a list"],
    ["with the status 404", 404, { keys: [rsa] }, "keys_invalid", "responded with 404"],
    ["with the status 503", 503, { keys: [rsa] }, "provider_failed", "responded with 503"],
  ])("%s, and the log says why", async (_, status, body, reason, detail) => {
    const refusal = { reason, detail: expect.stringContaining(detail) as string };
    await expect(answered(status, body)).rejects.toMatchObject(refusal);
  });
});

test("a key set is requested by its media type (RFC 7517, 8.5.2)", async () => {
  const asked: unknown[] = [];
  const answer = async (...call: readonly unknown[]) => {
    asked.push(call);
    return Response.json({ keys: [] });
  };
  await fetchKeys(
    address,
    answer,
    createMemberReader(() => undefined),
  );
  const headers = { Accept: "application/jwk-set+json, application/json" };
  expect(asked).toEqual([[address, { endpoint: "keys", method: "GET", headers }]]);
});
