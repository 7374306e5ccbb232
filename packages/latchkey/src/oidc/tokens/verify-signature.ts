import type { Config } from "../../config/config.ts";
import { keysCooldownMs } from "../../config/constants.ts";
import type { CompactJWS } from "../../crypto/compact-jws.ts";
import { secretKey, type VerifyKey, verifies } from "../../crypto/signature.ts";
import { forEachKind, type RunChecks, runChecks } from "../checks/check.ts";
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
): (token: ProviderToken, check?: RunChecks) => Promise<void> {
  return async (token, check = runChecks) => {
    check(algorithmChecks[token.kind], { token, expected: config.idTokenSigningAlg });
    const verdict = token.header.alg.startsWith("HS")
      ? await verifyWithSecret(token, config.clientSecret)
      : await verifyWithKeySet(token);
    const known = verdict === "key-unknown" ? await keys.get() : [];
    check(signatureChecks[token.kind], { token, verdict, known });
  };
}

interface Named {
  readonly token: ProviderToken;
  /** The configured algorithm. */
  readonly expected: string;
}

/** The checks before a key is looked for. */
export const algorithmChecks = forEachKind<Named>(() => [
  /** The configured algorithm, whatever else the token names (RFC 8725, 3.1). */
  {
    name: "alg",
    reason: "token_algorithm",
    holds: ({ token, expected }) => token.header.alg === expected,
    expected: ({ expected }) => expected,
    actual: ({ token }) => token.header.alg,
    refusal: ({ token, expected }) => ({
      detail: `expected ${expected}, got ${quote(token.header.alg)}`,
    }),
  },
]);

interface Signed {
  readonly token: ProviderToken;
  readonly verdict: Verdict;
  /** The keys of the provider, if none of them may verify the token. */
  readonly known: readonly SigningKey[];
}

/** The checks of the signature (RFC 7515, 5.2). */
export const signatureChecks = forEachKind<Signed>(() => [
  /** The provider has a key for the token (OpenID Connect Core 10.1). */
  {
    name: "kid",
    reason: "token_key_unknown",
    applies: ({ token }) => !token.header.alg.startsWith("HS"),
    holds: ({ verdict }) => verdict !== "key-unknown",
    expected: () => "a key of the provider",
    actual: ({ token }) => token.header.kid ?? "none named",
    refusal: ({ token, known }) => ({
      detail: `${keyNamedBy(token)}, the provider has ${namesOf(known)}`,
    }),
  },
  /** A key of the provider, or the client secret, verifies the signature. */
  {
    name: "Signature",
    reason: "token_signature",
    holds: ({ verdict }) => verdict === "verified",
    expected: () => "valid",
    actual: ({ verdict }) => (verdict === "verified" ? "valid" : "not valid"),
    refusal: () => ({ detail: undefined }),
  },
]);

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

async function verifiesWithAny(token: CompactJWS, keys: readonly VerifyKey[]): Promise<boolean> {
  for (const key of keys) {
    // oxlint-disable-next-line no-await-in-loop -- the first key that verifies ends it
    if (await verifies(token, key)) return true;
  }
  return false;
}
