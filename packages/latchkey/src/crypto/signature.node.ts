import {
  constants,
  createHmac,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from "node:crypto";
import type { JWK } from "jose";

import type { Awaitable } from "../awaitable.ts";
import type { CompactJWS } from "./compact-jws.ts";

/** A key to verify signatures with. */
export type VerifyKey = KeyObject;

/** A public key ready for use; `null` where it cannot be: a bad point, too few bits, an unknown curve. */
export function importPublicKey(jwk: JWK, _alg: string): Awaitable<VerifyKey | null> {
  try {
    const key = createPublicKey({ key: { ...jwk }, format: "jwk" });
    return (key.asymmetricKeyDetails?.modulusLength ?? Infinity) < 2048 ? null : key;
  } catch {
    return null;
  }
}

/** A shared secret as a key; `null` for an empty one, which anybody shares. */
export function secretKey(secret: string): VerifyKey | null {
  return secret === "" ? null : createSecretKey(secret, "utf8");
}

type Fits = (data: Buffer, signature: Buffer, key: KeyObject) => boolean;

/** PKCS #1 v1.5 is what Node takes for granted; to name it costs half as much again as the verification. */
function rsa(digest: string): Fits {
  return (data, signature, key) =>
    key.asymmetricKeyType === "rsa" && verify(digest, data, key, signature);
}

const pss = {
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
};

function rsaPSS(digest: string): Fits {
  return (data, signature, key) =>
    key.asymmetricKeyType === "rsa" && verify(digest, data, { key, ...pss }, signature);
}

/** The signature as two numbers side by side (RFC 7518, 3.4), on the one curve of the algorithm. */
function ecdsa(digest: string, namedCurve: string): Fits {
  return (data, signature, key) =>
    key.asymmetricKeyDetails?.namedCurve === namedCurve &&
    verify(digest, data, { key, dsaEncoding: "ieee-p1363" }, signature);
}

function hmac(digest: string): Fits {
  return (data, signature, key) => {
    if (key.type !== "secret") return false;
    const expected = createHmac(digest, key).update(data).digest();
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  };
}

const ed25519: Fits = (data, signature, key) =>
  key.asymmetricKeyType === "ed25519" && verify(null, data, key, signature);

/** The algorithms of RFC 7518 and RFC 8037 that we know; a key fits one family only. */
const algorithms: ReadonlyMap<string, Fits> = new Map([
  ["RS256", rsa("sha256")],
  ["RS384", rsa("sha384")],
  ["RS512", rsa("sha512")],
  ["PS256", rsaPSS("sha256")],
  ["PS384", rsaPSS("sha384")],
  ["PS512", rsaPSS("sha512")],
  ["ES256", ecdsa("sha256", "prime256v1")],
  ["ES384", ecdsa("sha384", "secp384r1")],
  ["ES512", ecdsa("sha512", "secp521r1")],
  ["EdDSA", ed25519],
  ["Ed25519", ed25519],
  ["HS256", hmac("sha256")],
  ["HS384", hmac("sha384")],
  ["HS512", hmac("sha512")],
]);

/**
 * Whether a token was signed with this key, by the algorithm that it names (RFC 7515, 5.2). At once: Web Crypto
 * sends a thread for it, which costs more than most signatures do.
 */
export function isSignedBy({ token, header }: CompactJWS, key: VerifyKey): Awaitable<boolean> {
  const fits = algorithms.get(header.alg);
  if (fits === undefined) return false;
  const end = token.lastIndexOf(".");
  const signature = Buffer.from(token.slice(end + 1), "base64url");
  try {
    return fits(Buffer.from(token.slice(0, end), "latin1"), signature, key);
  } catch {
    return false;
  }
}
