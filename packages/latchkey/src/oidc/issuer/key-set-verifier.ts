import { keysCooldownMs } from "../../config/constants.ts";
import type { CompactJWS } from "../../crypto/compact-jws.ts";
import { verifiesWithAny } from "../../crypto/signature.ts";
import type { StaleWhileRevalidateCache } from "./outages/stale-while-revalidate-cache.ts";
import { type SigningKey, usableKeys } from "./signing-keys.ts";

/** What became of a signature: no key may verify it, or none does. */
export type Verdict = "verified" | "key-unknown" | "forged";

/** Verifies the signature of a token with an algorithm that was checked before. */
export type KeySetVerifier = (token: CompactJWS) => Promise<Verdict>;

interface KeySetVerifierOptions {
  /** The key set of the provider. */
  readonly keys: StaleWhileRevalidateCache<readonly SigningKey[]>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** See `Issuer.verify`. */
export function createKeySetVerifier({ keys, clock }: KeySetVerifierOptions): KeySetVerifier {
  let refetchedAt = Number.NEGATIVE_INFINITY;

  /**
   * Fetches the key set again; nothing if it was fetched a moment ago. A failed fetch has its own
   * back-off.
   */
  async function refetchKeys(): Promise<readonly SigningKey[]> {
    const sinceRefetch = clock() - refetchedAt;
    if (sinceRefetch >= 0 && sinceRefetch < keysCooldownMs) return [];
    const fresh = await keys.renew();
    refetchedAt = clock();
    return fresh;
  }

  // Tries the known keys. If none of them verifies, fetches the set again, immediately and then
  // once per cooldown (OpenID Connect Core 10.1.1), because a provider may reuse a key id for a new
  // key. If that fails, the named key decides: forged tokens of clients are no outage.
  return async (token) => {
    const known = await usableKeys(await keys.get(), token);
    if (await verifiesWithAny(token, known)) return "verified";
    const isNamed = known.length > 0 && token.header.kid !== undefined;
    const refetching = isNamed ? refetchKeys().catch(() => []) : refetchKeys();
    const fresh = await usableKeys(await refetching, token);
    if (known.length === 0 && fresh.length === 0) return "key-unknown";
    return (await verifiesWithAny(token, fresh)) ? "verified" : "forged";
  };
}
