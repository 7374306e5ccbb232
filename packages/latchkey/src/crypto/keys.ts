import { type ContentKey, deriveContentKey } from "#jwe";

import type { Awaitable } from "../awaitable.ts";

/** What a derived key is for. The same secret never serves two purposes with the same key. */
export type KeyPurpose = "session" | "transaction";

/** HKDF info strings. The one of the session is fixed by the wire format of existing cookies. */
const infoOf: Readonly<Record<KeyPurpose, string>> = {
  session: "JWE CEK",
  transaction: "latchkey transaction",
};

/** Keys of one purpose, derived once: the first seals, all may open. */
export interface KeyRing {
  readonly current: ContentKey;
  readonly all: readonly ContentKey[];
  readonly byId: ReadonlyMap<string, ContentKey>;
}

/**
 * Derives the keys of one purpose from the configured secrets, in their order: HKDF-SHA-256, empty salt,
 * 32 bytes. Done once, when the first request needs them, never again.
 */
export function deriveKeyRing(secrets: readonly string[], purpose: KeyPurpose): Awaitable<KeyRing> {
  const keys = secrets.map((secret) => deriveContentKey(secret, infoOf[purpose]));
  return areReady(keys) ? toRing(keys) : derivedRing(keys);
}

async function derivedRing(keys: readonly Awaitable<ContentKey>[]): Promise<KeyRing> {
  return toRing(await Promise.all(keys.map(async (key) => key)));
}

function areReady(keys: readonly Awaitable<ContentKey>[]): keys is readonly ContentKey[] {
  return !keys.some((key) => key instanceof Promise);
}

function toRing(keys: readonly ContentKey[]): KeyRing {
  const [current] = keys;
  if (current === undefined) throw new TypeError("A key ring needs a secret");
  return { current, all: keys, byId: new Map(keys.map((key) => [key.id, key])) };
}
