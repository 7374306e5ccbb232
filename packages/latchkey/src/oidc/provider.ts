import type { Config } from "../config/config.ts";
import { keysCooldownMs, metadataMaxAgeMs } from "../config/constants.ts";
import { secretKey, type VerifyKey, verifies } from "../crypto/signature.ts";
import { Refusal } from "../errors/refusal.ts";
import { oneLine } from "./client-call.ts";
import { fetchMetadata, type Metadata } from "./metadata.ts";
import { createProviderFetch, type Fetch, type ProviderFetch } from "./provider-fetch.ts";
import { fetchKeys, type SigningKey, usableKeys } from "./signing-keys.ts";
import type { ProviderToken } from "./token-claims.ts";
import { staleIfErrorCache, type StaleIfErrorCache } from "./stale-if-error-cache.ts";

/** The identity provider (OP): its metadata, its keys, and the way to call it. */
export interface Provider {
  /** Calls the provider; see `createProviderFetch`. */
  readonly fetch: ProviderFetch;
  metadata(): Promise<Metadata>;
  /**
   * Verifies that this provider has signed the token, with the configured algorithm (RFC 7515,
   * 5.2).
   *
   * @throws {Refusal} `…_algorithm`, `…_key_unknown`, `…_signature`, by kind of token
   */
  verifySignature(token: ProviderToken): Promise<void>;
}

export interface ProviderDeps {
  readonly config: Config;
  /** The Fetch API of the app or of the runtime. */
  readonly fetch: Fetch;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export function createProvider({ config, fetch, clock }: ProviderDeps): Provider {
  const call = createProviderFetch(fetch, config.httpTimeout);
  const renewal = { maxAgeMs: metadataMaxAgeMs, retryAfterMs: keysCooldownMs, clock };
  const metadata = staleIfErrorCache({ ...renewal, load: () => fetchMetadata(config, call) });
  const keys = staleIfErrorCache({
    ...renewal,
    load: async () => {
      const { jwks_uri: address = "" } = await metadata.get();
      return fetchKeys(address, config.idTokenSigningAlg, call);
    },
  });
  const keySet = { known: () => keys.get(), refetched: refetchSparingly(keys, clock) };
  return {
    fetch: call,
    metadata: () => metadata.get(),
    async verifySignature(token) {
      checkAlgorithm(token, config.idTokenSigningAlg);
      if (!token.header.alg.startsWith("HS")) return verifyWithKeySet(token, keySet);
      // It may be exchanged while the app runs.
      const secret = secretKey(config.clientSecret ?? "");
      assertVerified(token, await verifiesWithAny(token, secret === null ? [] : [secret]));
    },
  };
}

/** The configured algorithm, whatever else the token names (RFC 8725, 3.1). */
function checkAlgorithm({ kind, header: { alg } }: ProviderToken, expected: string): void {
  if (alg === expected) return;
  throw new Refusal(`${kind}_algorithm`, { detail: `expected ${expected}, got ${oneLine(alg)}` });
}

interface KeySet {
  known(): Promise<readonly SigningKey[]>;
  /** The set fetched anew; `null` where that was done a moment ago. */
  refetched(): Promise<readonly SigningKey[] | null>;
}

function refetchSparingly(keys: StaleIfErrorCache<readonly SigningKey[]>, clock: () => number) {
  let refetchedAt = Number.NEGATIVE_INFINITY;
  return async (): Promise<readonly SigningKey[] | null> => {
    const sinceRefetch = clock() - refetchedAt;
    if (sinceRefetch >= 0 && sinceRefetch < keysCooldownMs) return null;
    refetchedAt = clock();
    return keys.renew();
  };
}

/**
 * With the keys at hand; where none of them may have signed, with the set fetched anew, immediately
 * and then once per cooldown (OpenID Connect Core 10.1.1). A token that names no key may mean a new
 * one, so it gets both tries.
 */
async function verifyWithKeySet(token: ProviderToken, keySet: KeySet): Promise<void> {
  const { alg, kid } = token.header;
  const known = await usableKeys(await keySet.known(), kid);
  if (await verifiesWithAny(token, known)) return;
  if (known.length > 0 && kid !== undefined) return assertVerified(token, false);
  const refetched = await keySet.refetched();
  const fresh = refetched === null ? [] : await usableKeys(refetched, kid);
  if (known.length === 0 && fresh.length === 0) {
    throw new Refusal(`${token.kind}_key_unknown`, { detail: `alg ${alg}` });
  }
  assertVerified(token, await verifiesWithAny(token, fresh));
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
