import { calculateJwkThumbprint } from "jose/jwk/thumbprint";

import type { JSONObject } from "./json-object.ts";

/** The SHA-256 thumbprint of a public key (RFC 7638); `null` if it is no key. */
export async function thumbprintOf(jwk: JSONObject): Promise<string | null> {
  try {
    return await calculateJwkThumbprint(jwk);
  } catch {
    return null;
  }
}
