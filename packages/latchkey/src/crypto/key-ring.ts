import { Buffer } from "node:buffer";
import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";

import type { InForce } from "./in-force.ts";
import { encodeBase64url } from "./base64url.ts";

/** What a derived key is for. One secret never serves two purposes with the same key. */
export type KeyPurpose =
  | "session"
  | "named-session"
  | "last-use"
  | "device-cookie"
  | "device-offer"
  | "relay"
  | "transaction"
  | "last-connection"
  | "named-transaction"
  | "activity";

/** HKDF info strings. The one of the session is fixed by the wire format of existing cookies. */
const infoOf: Readonly<Record<KeyPurpose, string>> = {
  session: "JWE CEK",
  "named-session": "latchkey named session",
  "last-use": "latchkey last use",
  "device-cookie": "latchkey device cookie",
  "device-offer": "latchkey device offer",
  relay: "latchkey relay",
  transaction: "latchkey transaction",
  "last-connection": "latchkey last connection",
  "named-transaction": "latchkey named transaction",
  activity: "latchkey activity",
};

/** A key to seal and open with. Its `id` is its name in the header and reveals nothing about it. */
export interface ContentKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** Keys of one purpose, derived once: the first seals, all may open. */
export interface KeyRing {
  readonly current: ContentKey;
  readonly all: readonly ContentKey[];
  readonly byId: ReadonlyMap<string, ContentKey>;
  readonly watch: KeyWatch | undefined;
}

/** Called with the use of keys. */
export interface KeyWatch {
  readonly onOpened: (key: ContentKey) => void;
  readonly onSealed: (key: ContentKey) => void;
  /** The secrets were exchanged. */
  readonly onExchanged: (before: KeyRing, now: KeyRing) => void;
}

/**
 * Derives the keys for one purpose from the configured secrets, in their order: HKDF-SHA-256, empty
 * salt, 32 bytes. Keep the ring: key derivation is too slow for a request.
 */
export function deriveKeyRing(
  secrets: readonly string[],
  purpose: KeyPurpose,
  watch?: KeyWatch,
): KeyRing {
  const all = secrets.map((secret) => deriveContentKey(secret, infoOf[purpose]));
  const [current] = all;
  if (current === undefined) throw new TypeError("A key ring needs a secret");
  return { current, all, byId: new Map(all.map((key) => [key.id, key])), watch };
}

/** Derives a content key from a secret: HKDF-SHA-256, empty salt, 32 bytes (RFC 5869). */
export function deriveContentKey(secret: string, info: string): ContentKey {
  const bytes = Buffer.from(hkdfSync("sha256", secret, "", info, 32));
  const id = new Uint8Array(hkdfSync("sha256", secret, "", `${info} key id`, 6));
  return { id: encodeBase64url(id), key: createSecretKey(bytes) };
}

/**
 * Returns the key ring of the current secrets: derived at its first use, and again after an
 * exchange of secrets.
 */
export function keyRingInForce(
  inForce: InForce<readonly string[]>,
  purpose: KeyPurpose,
  watch?: KeyWatch,
): () => KeyRing {
  let ring: KeyRing | undefined;
  let secrets: readonly string[] | undefined;
  return () => {
    const current = inForce.current();
    if (ring === undefined || secrets !== current) {
      const before = ring;
      ring = deriveKeyRing(current, purpose, watch);
      secrets = current;
      if (before !== undefined) watch?.onExchanged(before, ring);
    }
    return ring;
  };
}
