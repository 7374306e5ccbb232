import { deriveKeyRing } from "../../src/crypto/key-ring.ts";
import { createSessionSeal, type SessionSeal } from "../../src/session/seal.ts";
import type { ClientRegistration } from "../../src/session/session-handle.ts";

/** A seal with keys of its own. */
export function sessionSeal(
  secrets: readonly string[],
  registration: ClientRegistration,
  requireIssuer = false,
): SessionSeal {
  const keys = deriveKeyRing(secrets, "session");
  return createSessionSeal({ keys: () => keys, registration, requireIssuer });
}
