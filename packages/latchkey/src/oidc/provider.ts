import type { JWK } from "jose";

import type { Config } from "../config/config.ts";
import { keysCooldownMs, metadataMaxAgeMs } from "../config/constants.ts";
import type { CompactJWS } from "../crypto/compact-jws.ts";
import { isSignedBy, secretKey, type VerifyKey } from "../crypto/signature.ts";
import { Refusal } from "../errors/refusal.ts";
import { fetchMetadata, type Metadata } from "./metadata.ts";
import { createProviderFetch, type Fetch, type ProviderFetch } from "./provider-fetch.ts";
import { candidateKeys, fetchKeys, usableKey } from "./signing-keys.ts";
import { staleIfErrorCache, type StaleIfErrorCache } from "./stale-if-error-cache.ts";

/** The identity provider (OP): what it says of itself, its keys, and the way to call it. */
export interface Provider {
  /** Calls the provider; see `createProviderFetch`. */
  readonly fetch: ProviderFetch;
  metadata(): Promise<Metadata>;
  /**
   * Whether the token was signed by this provider with the configured algorithm.
   *
   * @throws {Refusal} `id_token_algorithm`, `id_token_key_unknown`, `id_token_signature`
   */
  verifySignature(jws: CompactJWS): Promise<void>;
}

export interface ProviderParts {
  readonly config: Config;
  /** The Fetch API of the app or of the runtime. */
  readonly fetch: Fetch;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export function createProvider({ config, fetch, clock }: ProviderParts): Provider {
  const call = createProviderFetch(fetch, config.httpTimeout);
  const renewal = { maxAgeMs: metadataMaxAgeMs, retryAfterMs: keysCooldownMs, clock };
  const metadata = staleIfErrorCache({ ...renewal, load: () => fetchMetadata(config, call) });
  const keys = staleIfErrorCache({
    ...renewal,
    load: async () => fetchKeys((await metadata.get()).jwks_uri ?? "", call),
  });
  const keySet = { known: () => keys.get(), refetched: refetchSparingly(keys, clock) };
  const secret = secretKey(config.clientSecret ?? "");

  return {
    fetch: call,
    metadata: () => metadata.get(),
    async verifySignature(jws) {
      const { alg } = jws.header;
      if (alg !== config.idTokenSigningAlg) {
        throw new Refusal("id_token_algorithm", {
          detail: `expected ${config.idTokenSigningAlg}, got ${alg.slice(0, 20)}`,
        });
      }
      if (alg.startsWith("HS"))
        return assertVerified(secret !== null && (await isSignedBy(jws, secret)));
      return verifyWithKeySet(jws, keySet);
    },
  };
}

interface KeySet {
  known(): Promise<readonly JWK[]>;
  /** The set fetched anew; `null` where that was done a moment ago. */
  refetched(): Promise<readonly JWK[] | null>;
}

function refetchSparingly(keys: StaleIfErrorCache<readonly JWK[]>, clock: () => number) {
  let refetchedAt = Number.NEGATIVE_INFINITY;
  return async (): Promise<readonly JWK[] | null> => {
    const sinceRefetch = clock() - refetchedAt;
    if (sinceRefetch >= 0 && sinceRefetch < keysCooldownMs) return null;
    refetchedAt = clock();
    return keys.renew();
  };
}

/**
 * With the keys at hand; where none of them is meant, with the set fetched anew, at once and then once per
 * cooldown. A token that names no key may mean a new one, so it gets both tries.
 */
async function verifyWithKeySet(jws: CompactJWS, keySet: KeySet): Promise<void> {
  const known = await usableKeys(jws, await keySet.known());
  if (await verifiesWithAny(jws, known)) return;
  if (known.length > 0 && jws.header.kid !== undefined) return assertVerified(false);
  const refetched = await keySet.refetched();
  const fresh = refetched === null ? [] : await usableKeys(jws, refetched);
  if (known.length === 0 && fresh.length === 0) {
    throw new Refusal("id_token_key_unknown", { detail: `alg ${jws.header.alg}` });
  }
  assertVerified(await verifiesWithAny(jws, fresh));
}

function assertVerified(isVerified: boolean): void {
  if (!isVerified) throw new Refusal("id_token_signature");
}

async function usableKeys(
  { header: { alg, kid } }: CompactJWS,
  keys: readonly JWK[],
): Promise<readonly VerifyKey[]> {
  const candidates = candidateKeys(keys, alg, kid).map(async (key) => usableKey(key, alg));
  return (await Promise.all(candidates)).filter((key) => key !== null);
}

async function verifiesWithAny(jws: CompactJWS, keys: readonly VerifyKey[]): Promise<boolean> {
  for (const key of keys) {
    // oxlint-disable-next-line no-await-in-loop -- the first key that verifies ends it
    if (await isSignedBy(jws, key)) return true;
  }
  return false;
}
