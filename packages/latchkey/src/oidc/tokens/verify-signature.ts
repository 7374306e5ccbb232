import type { Config } from "../../config/config.ts";
import { keysCooldownMs } from "../../config/constants.ts";
import type { CompactJWS } from "../../crypto/compact-jws.ts";
import { secretKey, type VerifyKey, verifies } from "../../crypto/signature.ts";
import { Refusal } from "../../errors/refusal.ts";
import { quote } from "../client-call.ts";
import type { StaleWhileRevalidateCache } from "../issuer/outages/stale-while-revalidate-cache.ts";
import { type SigningKey, usableKeys } from "../issuer/signing-keys.ts";
import type { ProviderToken } from "./token-claims.ts";

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

/** See `Provider.verifyWithKeySet`. */
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

/** See `Provider.verifySignature`. */
export function createSignatureVerifier(
  config: Config,
  keys: KeySetVerifierOptions["keys"],
  verifyWithKeySet: KeySetVerifier,
): (token: ProviderToken) => Promise<void> {
  return async (token) => {
    checkAlgorithm(token, config.idTokenSigningAlg);
    const { alg } = token.header;
    const verdict = alg.startsWith("HS")
      ? await verifyWithSecret(token, config.clientSecret)
      : await verifyWithKeySet(token);
    if (verdict === "key-unknown") {
      const detail = `${keyNamedBy(token)}, the provider has ${namesOf(await keys.get())}`;
      throw new Refusal({ reason: "token_key_unknown", kind: token.kind }, { detail });
    }
    if (verdict === "forged") {
      throw new Refusal({ reason: "token_signature", kind: token.kind });
    }
  };
}

function keyNamedBy({ header: { alg, kid } }: ProviderToken): string {
  return `expected a key for ${quote(alg)} ${kid === undefined ? "without a kid" : `named ${quote(kid)}`}`;
}

function namesOf(keys: readonly SigningKey[]): string {
  if (keys.length === 0) return "no usable key";
  const names = keys.slice(0, namesAtMost).map(({ kid }) => (kid === undefined ? "?" : quote(kid)));
  return `${keys.length}: ${names.join(", ")}`;
}

const namesAtMost = 5;

/** @param clientSecret - may be exchanged while the app runs */
async function verifyWithSecret(token: CompactJWS, clientSecret = ""): Promise<Verdict> {
  const secret = secretKey(clientSecret);
  const isVerified = await verifiesWithAny(token, secret === null ? [] : [secret]);
  return isVerified ? "verified" : "forged";
}

/** The configured algorithm, whatever else the token names (RFC 8725, 3.1). */
function checkAlgorithm({ kind, header: { alg } }: ProviderToken, expected: string): void {
  if (alg === expected) return;
  const detail = `expected ${expected}, got ${quote(alg)}`;
  throw new Refusal({ reason: "token_algorithm", kind }, { detail });
}

async function verifiesWithAny(token: CompactJWS, keys: readonly VerifyKey[]): Promise<boolean> {
  for (const key of keys) {
    // oxlint-disable-next-line no-await-in-loop -- the first key that verifies ends it
    if (await verifies(token, key)) return true;
  }
  return false;
}
