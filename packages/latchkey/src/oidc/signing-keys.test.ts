import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect, test } from "vitest";

import type { Members } from "../../test/worlds/quick-provider.ts";
import { fetchKeys, usableKeys } from "./signing-keys.ts";

const jwkOf = (key: KeyObject) => key.export({ format: "jwk" });
const rsa = jwkOf(generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey);
const p256 = jwkOf(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey);
const p384 = jwkOf(generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey);
const ed25519 = jwkOf(generateKeyPairSync("ed25519").publicKey);

/** The number of keys of a set that may verify a token with this key id, or with none. */
async function usableOf(
  keys: readonly unknown[],
  alg = "RS256",
  kid?: string,
  payload: Members = {},
): Promise<number> {
  const set = await fetchKeys("https://op.example/keys", async () => Response.json({ keys }));
  const header = { alg, ...(kid === undefined ? {} : { kid }) };
  return (await usableKeys(set.value, { header, payload })).length;
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
])("a key with %s may verify (RFC 7517, section 4)", async (_, members) => {
  expect(await usableOf([{ ...rsa, ...members }])).toBe(1);
});

describe("a key is skipped, and the others serve, when its member", () => {
  test.each([
    ["use is for encryption", { use: "enc" }],
    ["use is a number", { use: 7 }],
    ["use is null", { use: null }],
    ["alg is another of the same key type", { alg: "PS256" }],
    ["alg is a number", { alg: 256 }],
    ["alg is a list", { alg: ["RS256"] }],
    ["key_ops lacks verify", { key_ops: ["encrypt"] }],
    ["key_ops is empty", { key_ops: [] }],
    ["key_ops is a number", { key_ops: 5 }],
    ["key_ops is a text", { key_ops: "verify" }],
    ["key_ops is null", { key_ops: null }],
    ["kid is an object", { kid: {} }],
    ["kid is a number", { kid: 1 }],
    ["kty is missing", { kty: undefined }],
    ["kty is a list", { kty: ["RSA"] }],
    ["crv is a number", { crv: 0 }],
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

test("a token with a key id is verified by the keys of that id alone", async () => {
  const keys = [{ ...rsa, kid: "one" }, { ...rsa, kid: "two" }, rsa];
  expect(await usableOf(keys, "RS256", "one")).toBe(1);
  expect(await usableOf(keys, "RS256", "three")).toBe(0);
  expect(await usableOf(keys, "RS256", "__proto__")).toBe(0);
  expect(await usableOf(keys)).toBe(3);
});

test("one key of a set verifies tokens of each algorithm of its type", async () => {
  const set = await fetchKeys("https://op.example/keys", async () =>
    Response.json({ keys: [rsa] }),
  );
  const algorithms = await Promise.all(
    ["RS256", "PS256"].map(async (alg) => {
      const [key] = await usableKeys(set.value, { header: { alg }, payload: {} });
      return key !== undefined && "algorithm" in key ? key.algorithm.name : undefined;
    }),
  );
  expect(algorithms).toEqual(["RSASSA-PKCS1-v1_5", "RSA-PSS"]);
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
  const answered = (status: number, body: unknown) =>
    fetchKeys("https://op.example/keys", async () => Response.json(body, { status }));

  test.each([
    ["without keys", 200, {}, "keys_invalid", "not a JSON object with a list"],
    ["whose keys are no list", 200, { keys: { 0: rsa } }, "keys_invalid", "not a JSON object with"],
    ["of too many keys", 200, { keys: Array(101).fill(rsa) }, "keys_invalid", "101 keys"],
    ["that is a list itself", 200, [rsa], "keys_invalid", "not a JSON object with a list"],
    ["with the status 404", 404, { keys: [rsa] }, "keys_invalid", "responded with 404"],
    ["with the status 503", 503, { keys: [rsa] }, "provider_failed", "responded with 503"],
  ])("%s, and the log says why", async (_, status, body, reason, detail) => {
    const refusal = { reason, detail: expect.stringContaining(detail) as string };
    await expect(answered(status, body)).rejects.toMatchObject(refusal);
  });
});

test("requests a key set by its media type (RFC 7517, 8.5.2)", async () => {
  const asked: unknown[] = [];
  await fetchKeys("https://op.example/keys", async (...call) => {
    asked.push(call);
    return Response.json({ keys: [] });
  });
  const headers = { Accept: "application/jwk-set+json, application/json" };
  expect(asked).toEqual([
    ["https://op.example/keys", { endpoint: "keys", method: "GET", headers }],
  ]);
});
