import { compactVerify, type JWK } from "jose";

import type { Config } from "../config/config.ts";
import { keysCooldownMs, metadataMaxAgeMs } from "../config/constants.ts";
import type { CompactJWS } from "../crypto/compact-jws.ts";
import { Refusal } from "../errors/refusal.ts";
import { fetchMetadata, type Metadata } from "./metadata.ts";
import { createProviderFetch, type Fetch } from "./provider-fetch.ts";
import { createRenewed, type Renewed } from "./renewed.ts";
import { candidateKeys, fetchKeys, usableKey } from "./signing-keys.ts";

/** The identity provider (OP): what it says of itself, its keys, and the way to call it. */
export interface Provider {
  /** Calls the provider; see `createProviderFetch`. */
  readonly fetch: Fetch;
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
  readonly fetch: Fetch;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export function createProvider({ config, fetch, clock }: ProviderParts): Provider {
  const call = createProviderFetch({ fetch, timeoutMs: config.httpTimeout });
  const renewal = { maxAgeMs: metadataMaxAgeMs, retryAfterMs: keysCooldownMs, clock };
  const metadata = createRenewed({ ...renewal, load: () => fetchMetadata(config, call) });
  const keys = createRenewed({
    ...renewal,
    load: async () => fetchKeys((await metadata.get()).jwks_uri ?? "", call),
  });
  const findKeys = createKeyFinder(keys, clock);
  const secret = new TextEncoder().encode(config.clientSecret ?? "");

  return {
    fetch: call,
    metadata: () => metadata.get(),
    async verifySignature(jws) {
      const { alg, kid } = jws.header;
      if (alg !== config.idTokenSigningAlg) {
        throw new Refusal("id_token_algorithm", {
          detail: `expected ${config.idTokenSigningAlg}, got ${alg.slice(0, 20)}`,
        });
      }
      if (alg.startsWith("HS")) return verify(jws, [secret]);
      const candidates = await findKeys(alg, kid);
      const usable = await Promise.all(candidates.map((key) => usableKey(key, alg)));
      return verify(
        jws,
        usable.filter((key) => key !== null),
      );
    },
  };
}

type KeyFinder = (alg: string, kid: string | undefined) => Promise<readonly JWK[]>;

/** Finds keys in the set at hand; an unknown one fetches the set again, at once, then once per cooldown. */
function createKeyFinder(keys: Renewed<readonly JWK[]>, clock: () => number): KeyFinder {
  let refetchedAt = Number.NEGATIVE_INFINITY;
  return async (alg, kid) => {
    const known = candidateKeys(await keys.get(), alg, kid);
    if (known.length > 0) return known;
    const sinceRefetch = clock() - refetchedAt;
    if (sinceRefetch >= 0 && sinceRefetch < keysCooldownMs) return known;
    refetchedAt = clock();
    return candidateKeys(await keys.renew(), alg, kid);
  };
}

async function verify(jws: CompactJWS, keys: readonly (CryptoKey | Uint8Array)[]): Promise<void> {
  if (keys.length === 0) {
    throw new Refusal("id_token_key_unknown", { detail: `alg ${jws.header.alg}` });
  }
  for (const key of keys) {
    // oxlint-disable-next-line no-await-in-loop -- the first key that fits ends it
    if (await fitsKey(jws, key)) return;
  }
  throw new Refusal("id_token_signature");
}

async function fitsKey(
  { token, header }: CompactJWS,
  key: CryptoKey | Uint8Array,
): Promise<boolean> {
  try {
    await compactVerify(token, key, { algorithms: [header.alg] });
    return true;
  } catch {
    return false;
  }
}
