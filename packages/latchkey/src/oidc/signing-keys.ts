import type { JWK } from "jose";

import { importPublicKey, type VerifyKey } from "../crypto/signature.ts";
import { parseStrictJSON } from "../crypto/strict-json.ts";
import { Refusal } from "../errors/refusal.ts";
import type { ProviderFetch } from "./provider-fetch.ts";

/** Keys tried at most for one token: a set may hold decoys that share the key id. */
const candidatesAtMost = 5;
const keysAtMost = 100;

/**
 * Fetches the provider's key set. Keys that cannot be used are skipped later, one by one.
 *
 * @throws {Refusal} `keys_invalid`, or what the call itself throws
 */
export async function fetchKeys(address: string, fetch: ProviderFetch): Promise<readonly JWK[]> {
  const response = await fetch(address, {
    method: "GET",
    headers: { Accept: "application/jwk-set+json, application/json" },
  });
  if (response.status !== 200) {
    throw new Refusal(response.status >= 500 ? "provider_failed" : "keys_invalid", {
      detail: `the key set answered ${response.status}`,
    });
  }
  const keys = parseStrictJSON(await response.arrayBuffer())?.["keys"];
  if (!Array.isArray(keys) || keys.length > keysAtMost) throw new Refusal("keys_invalid");
  return keys.filter(isJWK);
}

function isJWK(key: unknown): key is JWK {
  return typeof key === "object" && key !== null && "kty" in key && typeof key.kty === "string";
}

/** The keys of a set that may have signed a token with this algorithm and key id. */
export function candidateKeys(
  keys: readonly JWK[],
  alg: string,
  kid: string | undefined,
): readonly JWK[] {
  return keys
    .filter((key) => kid === undefined || key.kid === kid)
    .filter((key) => fits(key, alg))
    .slice(0, candidatesAtMost);
}

const curves: Readonly<Record<string, readonly string[]>> = {
  ES256: ["P-256"],
  ES384: ["P-384"],
  ES512: ["P-521"],
  EdDSA: ["Ed25519"],
  Ed25519: ["Ed25519"],
};

function fits(key: JWK, alg: string): boolean {
  const crvs = curves[alg];
  const kty = crvs === undefined ? "RSA" : alg.startsWith("Ed") ? "OKP" : "EC";
  return (
    key.kty === kty &&
    (crvs === undefined || crvs.includes(key.crv ?? "")) &&
    (key.alg === undefined || key.alg === alg || (crvs?.includes("Ed25519") ?? false)) &&
    (key.use === undefined || key.use === "sig") &&
    (key.key_ops === undefined || key.key_ops.includes("verify"))
  );
}

const imported = new WeakMap<JWK, Promise<VerifyKey | null>>();

/** A key ready for use; `null` where it cannot be: a bad point, too few bits, an unknown curve. */
export function usableKey(key: JWK, alg: string): Promise<VerifyKey | null> {
  const known = imported.get(key);
  if (known !== undefined) return known;
  const { kty, n, e, crv, x, y } = key;
  const publicPart = Object.fromEntries(
    Object.entries({ kty, n, e, crv, x, y }).filter(([, member]) => member !== undefined),
  );
  const importing = importPublicKey(publicPart, alg);
  imported.set(key, importing);
  return importing;
}
