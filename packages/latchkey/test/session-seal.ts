import { deriveKeyRing } from "../src/crypto/key-ring.ts";
import type { Party } from "../src/session/ended-list.ts";
import { createRecentlyOpened } from "../src/session/recently-opened.ts";
import { createSessionSeal, type SessionSeal } from "../src/session/session-seal.ts";

/** A seal that remembers nothing: what it opens it decrypts. */
export function sessionSeal(secrets: readonly string[], party: Party): SessionSeal {
  const keys = deriveKeyRing(secrets, "session");
  const recent = createRecentlyOpened({ clock: Date.now, charactersAtMost: 0, generationMs: 0 });
  return createSessionSeal({ keys: () => keys, party, recent });
}
