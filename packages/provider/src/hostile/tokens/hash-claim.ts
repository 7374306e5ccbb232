import { createHash } from "node:crypto";
import { hashOf } from "../key-ring.ts";
import type { HostileAlgorithm } from "../client.ts";

/** The value of `at_hash` or `c_hash` (OpenID Connect Core 3.1.3.6, 3.3.2.11). */
export function hashClaim(value: string | undefined, alg: HostileAlgorithm): string | undefined {
  if (value === undefined) return undefined;
  const digest = createHash(hashOf(alg)).update(value).digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
}
