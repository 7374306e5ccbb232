import { secretKey, verifiesWithAny } from "../../crypto/signature.ts";
import { forEachKind } from "../checks/check.ts";
import { quote } from "../client-call.ts";
import type { Connection } from "../connection.ts";
import type { Verdict } from "../issuer/key-set-verifier.ts";
import type { SigningKey } from "../issuer/signing-keys.ts";
import type { ProviderToken } from "./token-claims.ts";

/**
 * Verifies the signature of a token for a client, with the configured algorithm: by the key set of
 * its issuer or, for HMAC, by the client secret in force (OpenID Connect Core 10.1).
 *
 * @throws {Refusal} `token_algorithm`, `token_key_unknown`, `token_signature`, or the error of the
 *   call for the keys
 */
export async function verifySignature(connection: Connection, token: ProviderToken): Promise<void> {
  const { idTokenSigningAlg: expected, issuer, check } = connection;
  check(algorithmChecks[token.kind], { token, expected });
  const verdict = expected.startsWith("HS")
    ? await verifyWithSecret(connection, token)
    : await issuer.verify(token);
  const known = verdict === "key-unknown" ? await issuer.keys() : [];
  check(signatureChecks[token.kind], { token, verdict, known });
}

/** The algorithm of tokens for several readers: only a key pair can sign for them. */
export function publicKeyAlgorithm({
  idTokenSigningAlg: alg,
}: Pick<Connection, "idTokenSigningAlg">): string {
  return alg.startsWith("HS") ? "RS256" : alg;
}

async function verifyWithSecret({ credentials }: Connection, token: ProviderToken) {
  const secret = secretKey(credentials.current().clientSecret ?? "");
  const isVerified = secret !== null && (await verifiesWithAny(token, [secret]));
  return isVerified ? "verified" : "forged";
}

interface Named {
  readonly token: ProviderToken;
  /** The configured algorithm. */
  readonly expected: string;
}

/** The checks before a key is looked for. */
export const algorithmChecks = forEachKind<Named>(() => [
  /** The algorithm is the configured one, whatever the token would choose (RFC 8725, 3.1). */
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
