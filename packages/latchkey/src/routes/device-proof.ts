import { type CompactJWS, readCompactJWS } from "../crypto/compact-jws.ts";
import { isJSONObject, type JSONObject } from "../crypto/json-object.ts";
import { verifies } from "../crypto/signature.ts";
import { thumbprintOf } from "../crypto/thumbprint.ts";
import { readSigningKey } from "../oidc/issuer/signing-keys.ts";

/** Algorithms of the keys of devices, as registration names them. */
export const deviceAlgorithms: readonly string[] = ["ES256", "RS256"];

/** What a device has signed. */
export interface DeviceProof {
  /** The challenge. */
  readonly jti: string;
  /** The public key, without further members. */
  readonly jwk: JSONObject;
  /** Its thumbprint (RFC 7638). */
  readonly thumbprint: string;
}

/**
 * Verifies the proof of a device (Device Bound Session Credentials, W3C draft): its type, algorithm
 * and signature; not its challenge.
 *
 * @param registered - its key; a first proof brings its own, and no later one may
 */
export async function verifyDeviceProof(
  text: string,
  registered: JSONObject | null,
): Promise<DeviceProof | null> {
  const proof = readCompactJWS(text);
  if (proof === null || !isDeviceProof(proof)) return null;
  const { alg, jwk: own } = proof.header;
  const jwk = publicKey(registered === null ? own : own === undefined ? registered : null);
  const thumbprint = jwk && thumbprintOf(jwk);
  const { jti } = proof.payload;
  if (jwk === null || !thumbprint || typeof jti !== "string") return null;
  const key = readSigningKey(jwk);
  const imported = key?.isFor(alg) === true ? await key.imported(alg) : null;
  return imported !== null && (await verifies(proof, imported)) ? { jti, jwk, thumbprint } : null;
}

function isDeviceProof({ header: { typ, alg } }: CompactJWS): boolean {
  return typ === "dbsc+jwt" && deviceAlgorithms.includes(alg);
}

/** Members of public keys for these algorithms (RFC 7518, 6.2.1 and 6.3.1). */
function publicKey(jwk: unknown): JSONObject | null {
  if (!isJSONObject(jwk) || "d" in jwk) return null;
  const { kty, crv, x, y, n, e } = jwk;
  return kty === "EC" ? { kty, crv, x, y } : { kty, n, e };
}
