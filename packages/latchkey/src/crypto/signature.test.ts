import { generateKeyPairSync, type KeyObject, sign, type SignKeyObjectInput } from "node:crypto";
import { CompactSign, type JWK } from "jose";
import { expect, test } from "vitest";

import { readCompactJWS } from "./compact-jws.ts";
import { importPublicKey, verifies, secretKey } from "./signature.ts";

const secret = "a-secret-of-the-signature-tests-0123456789";
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const curves = { ES256: "P-256", ES384: "P-384", ES512: "P-521" } as const;
const pairs = new Map<string, { readonly privateKey: KeyObject; readonly publicKey: KeyObject }>([
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"].map((alg) => [alg, rsa] as const),
  ...Object.entries(curves).map(
    ([alg, namedCurve]) => [alg, generateKeyPairSync("ec", { namedCurve })] as const,
  ),
  ...["EdDSA", "Ed25519"].map((alg) => [alg, generateKeyPairSync("ed25519")] as const),
]);

function pairOf(alg: string) {
  const pair = pairs.get(alg);
  if (pair === undefined) throw new Error(`No keys for ${alg}`);
  return pair;
}

const jwkOf = (key: KeyObject): JWK => key.export({ format: "jwk" });

function jws(token: string) {
  const read = readCompactJWS(token);
  if (read === null) throw new Error("That is no token");
  return read;
}

async function signed(alg: string, payload = '{"sub":"ada"}'): Promise<string> {
  const key = alg.startsWith("HS") ? new TextEncoder().encode(secret) : pairOf(alg).privateKey;
  return new CompactSign(new TextEncoder().encode(payload)).setProtectedHeader({ alg }).sign(key);
}

const encode = (value: string | Uint8Array) => Buffer.from(value).toString("base64url");

/** A token with a signature of ours. */
function handmade(alg: string, digest: string, key: SignKeyObjectInput): string {
  const text = `${encode(JSON.stringify({ alg }))}.${encode('{"sub":"ada"}')}`;
  return `${text}.${encode(sign(digest, Buffer.from(text), key))}`;
}

/** The same signature over another payload. */
function altered(token: string): string {
  const [head, , signature] = token.split(".");
  return `${head}.${encode('{"sub":"eve"}')}.${signature}`;
}

async function verifiesUnder(token: string, key: JWK, alg: string): Promise<boolean> {
  const usable = await importPublicKey(key, alg);
  return usable !== null && verifies(jws(token), usable);
}

test.each([...pairs.keys()])(
  "a signature with %s is verified by its key and for its payload alone",
  async (alg) => {
    const token = await signed(alg);
    const key = jwkOf(pairOf(alg).publicKey);
    expect(await verifiesUnder(token, key, alg)).toBe(true);
    expect(await verifiesUnder(altered(token), key, alg)).toBe(false);
    expect(await verifiesUnder(token.replace(/[^.]+$/, "AAAA"), key, alg)).toBe(false);
    const { asymmetricKeyType: type } = pairOf(alg).publicKey;
    const other = { ...key, ...strangerTo(type, key) };
    expect(await verifiesUnder(token, other, alg)).toBe(false);
  },
);

test.each(["HS256", "HS384", "HS512"])(
  "a signature with %s is verified by its secret alone",
  async (alg) => {
    const token = await signed(alg);
    const [key, other] = [secretKey(secret), secretKey(`${secret}!`)];
    if (key === null || other === null) throw new Error("Secrets are keys");
    expect(await verifies(jws(token), key)).toBe(true);
    expect(await verifies(jws(token), other)).toBe(false);
    expect(await verifies(jws(altered(token)), key)).toBe(false);
    expect(await verifies(jws(token.replace(/[^.]+$/, "AAAA")), key)).toBe(false);
  },
);

test("an empty secret is not a key", () => {
  expect(secretKey("")).toBeNull();
});

test("a secret verifies no signature by key pair, and a public key no HMAC", async () => {
  const key = secretKey(secret);
  const publicKey = await importPublicKey(jwkOf(rsa.publicKey), "RS256");
  if (key === null || publicKey === null) throw new Error("Both are keys");
  expect(await verifies(jws(await signed("RS256")), key)).toBe(false);
  expect(await verifies(jws(await signed("HS256")), publicKey)).toBe(false);
});

test("a signature with RSA is not verified with other padding or another length of salt (RFC 7518, 3.5)", async () => {
  const key = jwkOf(rsa.publicKey);
  const asRS = handmade("PS256", "sha256", { key: rsa.privateKey });
  expect(await verifiesUnder(asRS, key, "PS256")).toBe(false);
  const shortSalt = { key: rsa.privateKey, padding: 6, saltLength: 20 };
  expect(await verifiesUnder(handmade("PS256", "sha256", shortSalt), key, "PS256")).toBe(false);
  expect(
    await verifiesUnder(
      handmade("PS256", "sha256", { ...shortSalt, saltLength: 32 }),
      key,
      "PS256",
    ),
  ).toBe(true);
});

test("a signature with ES256 is verified neither in DER nor from another curve (RFC 7518, 3.4)", async () => {
  const { privateKey, publicKey } = pairOf("ES256");
  const der = handmade("ES256", "sha256", { key: privateKey, dsaEncoding: "der" });
  expect(await verifiesUnder(der, jwkOf(publicKey), "ES256")).toBe(false);
  const larger = pairOf("ES384");
  const onLarger = handmade("ES256", "sha256", {
    key: larger.privateKey,
    dsaEncoding: "ieee-p1363",
  });
  expect(await verifiesUnder(onLarger, jwkOf(larger.publicKey), "ES256")).toBe(false);
});

test("a signature with an unknown algorithm is not verified", async () => {
  const token = await signed("RS256");
  const renamed = `${encode('{"alg":"RS257"}')}${token.slice(token.indexOf("."))}`;
  const key = await importPublicKey(jwkOf(rsa.publicKey), "RS256");
  expect(key !== null && (await verifies(jws(renamed), key))).toBe(false);
});

test("importPublicKey() rejects weak or broken keys and keys of an unknown curve (RFC 8725, 3.4 and 3.5)", async () => {
  const weak = jwkOf(generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey);
  expect(await importPublicKey(weak, "RS256")).toBeNull();
  const point = { ...jwkOf(pairOf("ES256").publicKey), y: encode(new Uint8Array(32)) };
  expect(await importPublicKey(point, "ES256")).toBeNull();
  expect(await importPublicKey({ kty: "EC", crv: "P-000", x: "AA" }, "ES256")).toBeNull();
  expect(await importPublicKey({ kty: "RSA" }, "RS256")).toBeNull();
  expect(await importPublicKey({ kty: "oct", k: encode(secret) }, "RS256")).toBeNull();
});

/** Another key of the same kind. */
function strangerTo(type: string | undefined, { crv }: JWK): JWK {
  if (type === "rsa") return jwkOf(generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey);
  if (type === "ed25519") return jwkOf(generateKeyPairSync("ed25519").publicKey);
  return jwkOf(generateKeyPairSync("ec", { namedCurve: crv ?? "" }).publicKey);
}
