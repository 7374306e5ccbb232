import type { Config } from "../../config/config.ts";
import { keysCooldownMs } from "../../config/constants.ts";
import { secretKey, type VerifyKey, verifies } from "../../crypto/signature.ts";
import { Refusal } from "../../errors/refusal.ts";
import { quoted } from "../client-call.ts";
import type { StaleWhileRevalidateCache } from "../outages/stale-while-revalidate-cache.ts";
import { type SigningKey, usableKeys } from "../signing-keys.ts";
import type { ProviderToken } from "./token-claims.ts";

interface SignatureVerifierOptions {
  readonly config: Config;
  /** The key set of the provider. */
  readonly keys: StaleWhileRevalidateCache<readonly SigningKey[]>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** See `Provider.verifySignature`. */
export function createSignatureVerifier({
  config,
  keys,
  clock,
}: SignatureVerifierOptions): (token: ProviderToken) => Promise<void> {
  let refetchedAt = Number.NEGATIVE_INFINITY;

  /**
   * Fetches the key set again; nothing if it was fetched a moment ago. A failed fetch has its own
   * back-off.
   */
  async function refetched(): Promise<readonly SigningKey[]> {
    const sinceRefetch = clock() - refetchedAt;
    if (sinceRefetch >= 0 && sinceRefetch < keysCooldownMs) return [];
    const fresh = await keys.renew();
    refetchedAt = clock();
    return fresh;
  }

  /**
   * Tries the known keys. If none of them verifies, fetches the set again, immediately and then
   * once per cooldown (OpenID Connect Core 10.1.1), because a provider may reuse a key id for a new
   * key.
   */
  async function verifyWithKeySet(token: ProviderToken): Promise<void> {
    const { alg } = token.header;
    const known = await usableKeys(await keys.get(), token);
    if (await verifiesWithAny(token, known)) return;
    const fresh = await usableKeys(await refetched(), token);
    if (known.length === 0 && fresh.length === 0) {
      throw new Refusal(`${token.kind}_key_unknown`, { detail: `alg ${alg}` });
    }
    assertVerified(token, await verifiesWithAny(token, fresh));
  }

  return async (token) => {
    checkAlgorithm(token, config.idTokenSigningAlg);
    if (!token.header.alg.startsWith("HS")) return verifyWithKeySet(token);
    // It may be exchanged while the app runs.
    const secret = secretKey(config.clientSecret ?? "");
    assertVerified(token, await verifiesWithAny(token, secret === null ? [] : [secret]));
  };
}

/** The configured algorithm, whatever else the token names (RFC 8725, 3.1). */
function checkAlgorithm({ kind, header: { alg } }: ProviderToken, expected: string): void {
  if (alg === expected) return;
  throw new Refusal(`${kind}_algorithm`, { detail: `expected ${expected}, got ${quoted(alg)}` });
}

function assertVerified({ kind }: ProviderToken, isVerified: boolean): void {
  if (!isVerified) throw new Refusal(`${kind}_signature`);
}

async function verifiesWithAny(token: ProviderToken, keys: readonly VerifyKey[]): Promise<boolean> {
  for (const key of keys) {
    // oxlint-disable-next-line no-await-in-loop -- the first key that verifies ends it
    if (await verifies(token, key)) return true;
  }
  return false;
}
