import { sha256 } from "./digest.ts";
import type { JSONObject } from "./json-object.ts";

/** What identifies a public key, in the order of the thumbprint (RFC 7638, 3.2; RFC 8037, 2). */
const identifyingMembers: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["EC", ["crv", "kty", "x", "y"]],
  ["OKP", ["crv", "kty", "x"]],
  ["RSA", ["e", "kty", "n"]],
]);

/** The SHA-256 thumbprint of a public key (RFC 7638); `null` if it is no key. */
export function thumbprintOf(jwk: JSONObject): string | null {
  const names = identifyingMembers.get(jwk["kty"]) ?? [];
  const members = names.map((name) => [name, jwk[name]] as const);
  const isKey = members.every(([, value]) => typeof value === "string" && value !== "");
  return isKey && names.length > 0 ? sha256(JSON.stringify(Object.fromEntries(members))) : null;
}
