import type { SealingKeys } from "../../src/config/sealed-names.ts";
import { deriveKeyRing } from "../../src/crypto/key-ring.ts";
import { createSessionSeal, type RequiredName, type SessionSeal } from "../../src/session/seal.ts";
import type { ClientRegistration } from "../../src/session/session-handle.ts";

/** A seal with keys of its own. */
export function sessionSeal(
  secrets: readonly string[],
  registration: ClientRegistration,
  required: readonly RequiredName[] = [],
): SessionSeal {
  return createSessionSeal({
    keys: sealingKeys(secrets),
    registration: () => registration,
    required,
  });
}

function sealingKeys(secrets: readonly string[]): SealingKeys {
  const plain = deriveKeyRing(secrets, "session");
  const named = deriveKeyRing(secrets, "named-session");
  return { plain: () => plain, named: () => named };
}
