import type { KeyObject } from "node:crypto";
import {
  constants,
  createHmac,
  generateKeyPairSync,
  generateKeyPair as generateKeyPairCallback,
  randomBytes,
  sign,
} from "node:crypto";
import { promisify } from "node:util";
import type { JWK } from "jose";
import type { HostileAlgorithm } from "./client.ts";

const generateKeyPair = promisify(generateKeyPairCallback);

/** Signs tokens with one algorithm and key. */
export interface Signer {
  readonly alg: string;
  readonly kid?: string;
  /** Further members of the header, e.g. a key inside the token. */
  readonly header?: Readonly<Record<string, unknown>>;
  readonly sign: (data: Uint8Array) => Uint8Array;
}

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: JWK;
}

/** The keys of a provider: its signing keys, and decoys among which they are published. */
export interface KeyRing {
  readonly rsa: SigningKey;
  readonly ec: SigningKey;
  readonly ed: SigningKey;
  /** 1024 bits: too short. Only one behavior publishes it. */
  readonly shortRSA: SigningKey;
  /** Public keys without signatures: a second RSA and P-256, secp256k1, two for encryption. */
  readonly decoys: readonly JWK[];
}

/** Makes new keys. */
export async function makeKeyRing(): Promise<KeyRing> {
  const [rsa, shortRSA, ec, ed] = await Promise.all([
    generateKeyPair("rsa", { modulusLength: 2048 }),
    generateKeyPair("rsa", { modulusLength: 1024 }),
    generateKeyPair("ec", { namedCurve: "P-256" }),
    generateKeyPair("ed25519", {}),
  ]);
  return {
    rsa: signingKey(rsa),
    ec: signingKey(ec),
    ed: signingKey(ed),
    shortRSA: signingKey(shortRSA),
    decoys: makeDecoys(),
  };
}

function signingKey(pair: { privateKey: KeyObject; publicKey: KeyObject }): SigningKey {
  const kid = randomBytes(8).toString("hex");
  return { ...pair, kid, jwk: { ...pair.publicKey.export({ format: "jwk" }), kid, use: "sig" } };
}

/** The published key set: signing keys among decoys, none with an `alg`. */
export function publishedKeys({ rsa, ec, ed, decoys }: KeyRing): readonly JWK[] {
  const [otherRSA, ...others] = decoys;
  return [...(otherRSA === undefined ? [] : [otherRSA]), rsa.jwk, ...others, ec.jwk, ed.jwk];
}

function makeDecoys(): readonly JWK[] {
  return [
    { ...decoyRSA(), use: "sig" },
    { ...decoyEC("P-256"), use: "sig" },
    { ...decoyEC("secp256k1"), use: "sig" },
    { ...decoyRSA(), use: "enc" },
    { ...decoyEC("P-256"), use: "enc" },
  ];
}

/** An RSA public key without a private key: no signature verifies with it. */
export function decoyRSA(bytes = 256): JWK & { kid: string } {
  const modulus = randomBytes(bytes);
  modulus[0] = (modulus[0] ?? 0) | 0x80;
  modulus[bytes - 1] = (modulus[bytes - 1] ?? 0) | 1;
  const kid = randomBytes(8).toString("hex");
  return { kty: "RSA", n: modulus.toString("base64url"), e: "AQAB", kid };
}

export function decoyEC(namedCurve: string): JWK & { kid: string } {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve });
  return { ...publicKey.export({ format: "jwk" }), kid: randomBytes(8).toString("hex") };
}

/** Signs with the provider's own key for an algorithm. */
export function ownSigner(keys: KeyRing, alg: HostileAlgorithm, secret: string): Signer {
  if (isHMAC(alg)) return hmacSigner(Buffer.from(secret), alg);
  return signerOf(ownKey(keys, alg), alg);
}

/** Signs with an unpublished key under the `kid` of a published one. */
export function unpublishedSigner(keys: KeyRing, alg: HostileAlgorithm): Signer {
  if (isHMAC(alg)) return hmacSigner(randomBytes(64), alg);
  const { kid } = ownKey(keys, alg);
  return signerOf({ kid, privateKey: newPrivateKey(alg) }, alg);
}

type HMACAlgorithm = Extract<HostileAlgorithm, `HS${string}`>;
type KeyAlgorithm = Exclude<HostileAlgorithm, HMACAlgorithm>;

function isHMAC(alg: HostileAlgorithm): alg is HMACAlgorithm {
  return alg.startsWith("HS");
}

function ownKey({ rsa, ec, ed }: KeyRing, alg: KeyAlgorithm): SigningKey {
  if (alg === "ES256") return ec;
  return alg === "EdDSA" ? ed : rsa;
}

function newPrivateKey(alg: KeyAlgorithm): KeyObject {
  if (alg === "ES256") return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  if (alg === "EdDSA") return generateKeyPairSync("ed25519").privateKey;
  return generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
}

export function hmacSigner(secret: Uint8Array, alg: HMACAlgorithm = "HS256"): Signer {
  return { alg, sign: (data) => createHmac(hashOf(alg), secret).update(data).digest() };
}

export function signerOf(
  { privateKey, kid }: Pick<SigningKey, "privateKey" | "kid">,
  alg: KeyAlgorithm,
): Signer {
  return { alg, kid, sign: (data) => signWith(alg, privateKey, data) };
}

function signWith(alg: KeyAlgorithm, key: KeyObject, data: Uint8Array): Uint8Array {
  if (alg === "EdDSA") return sign(null, data, key);
  if (alg === "ES256") return sign("sha256", data, { key, dsaEncoding: "ieee-p1363" });
  const pss = {
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  };
  return sign(hashOf(alg), data, { key, ...(alg.startsWith("PS") ? pss : {}) });
}

/** The hash of an algorithm, which `at_hash` and `c_hash` use too. */
export function hashOf(alg: HostileAlgorithm): string {
  // EdDSA means Ed25519 here, which hashes with SHA-512.
  return alg === "EdDSA" ? "sha512" : `sha${alg.slice(-3)}`;
}
