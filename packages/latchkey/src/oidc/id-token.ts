import { type CompactJWS, readCompactJWS } from "../crypto/compact-jws.ts";
import type { Config } from "../config/config.ts";
import type { Reason } from "../errors/reasons.ts";
import { Refusal } from "../errors/refusal.ts";
import { oneLine } from "./client-call.ts";
import type { Metadata } from "./metadata.ts";
import type { Provider } from "./provider.ts";
import { leftHalfHash } from "./token-hash.ts";

/** The claims of an ID token that has passed every check. */
export interface IDTokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** What the token must fit to; absent members are not checked. */
export interface Expected {
  /** The nonce of the pending login; `null` for a token that answers no authorization request (refresh). */
  readonly nonce: string | null;
  /** Seconds, 0 included. */
  readonly maxAge?: number | undefined;
  /** The code that came beside the token: then `c_hash` must be there. */
  readonly code?: string | undefined;
  /** The state that came beside the token: then `s_hash` is compared where it is there. */
  readonly state?: string | undefined;
  /** The access token that came beside the token: then `at_hash` is compared where it is there. */
  readonly accessToken?: string | undefined;
  /** Epoch seconds. */
  readonly now: number;
}

interface Checked {
  readonly jws: CompactJWS;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly config: Config;
  readonly metadata: Metadata;
  readonly expected: Expected;
}

type Check = (token: Checked) => void;

/** A token may be this old when it arrives, in seconds. */
const oldestSeconds = 600;

/**
 * Verifies an ID token: signature by the provider's key with the configured algorithm, then every claim
 * (OpenID Connect Core 3.1.3.7, 3.2.2.11, 3.3.2.12), in this order.
 *
 * @throws {Refusal} the `id_token_…` reason of the first check that fails
 */
export async function verifyIDToken(
  token: string | undefined,
  {
    config,
    provider,
    expected,
  }: {
    readonly config: Config;
    readonly provider: Provider;
    readonly expected: Expected;
  },
): Promise<IDTokenClaims> {
  const jws = readCompactJWS(token);
  if (jws === null || !isIDTokenType(jws.header["typ"])) throw new Refusal("id_token_malformed");
  await provider.verifySignature(jws);
  const metadata = await provider.metadata();
  const claims = jws.payload;
  for (const check of checks) {
    check({ jws, claims, config, metadata, expected });
  }
  return claims as unknown as IDTokenClaims;
}

/** A logout token or an access token is signed by the same keys: their types must not pass (RFC 8725, 3.11). */
function isIDTokenType(typ: unknown): boolean {
  return typ === undefined || (typeof typ === "string" && /^(?:application\/)?jwt$/i.test(typ));
}

const checkIsNoLogoutToken: Check = ({ claims }) => {
  if ("events" in claims) throw new Refusal("id_token_malformed", { detail: "events" });
};

const checkIssuer: Check = ({ claims: { iss }, metadata }) => {
  if (iss !== metadata.issuer) throw mismatch("id_token_issuer", metadata.issuer, iss);
};

const checkSubject: Check = ({ claims: { sub } }) => {
  if (typeof sub !== "string" || sub === "" || sub.length > 255) {
    throw new Refusal("id_token_subject");
  }
};

/** The token is for us, and for nobody else whom we do not trust (3.1.3.7, step 3). */
const checkAudience: Check = ({ claims: { aud }, config: { clientID, trustedAudiences } }) => {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  const isOurs =
    audiences.includes(clientID) &&
    audiences.every(
      (each) => each === clientID || (typeof each === "string" && trustedAudiences.includes(each)),
    );
  if (!isOurs) throw mismatch("id_token_audience", clientID, aud);
};

/** With further audiences the token must say that it was made for us. */
const checkAuthorizedParty: Check = ({ claims: { aud, azp }, config }) => {
  const several = Array.isArray(aud) && aud.some((each) => each !== config.clientID);
  if (several && config.idTokenSigningAlg.startsWith("HS")) {
    throw new Refusal("id_token_audience", { detail: "several audiences share an HMAC secret" });
  }
  if ((several || azp !== undefined) && azp !== config.clientID) {
    throw mismatch("id_token_authorized_party", config.clientID, azp);
  }
};

const checkExpiry: Check = ({ claims: { exp }, config, expected }) => {
  if (!isTime(exp) || exp + config.clockTolerance <= expected.now) {
    throw mismatch("id_token_expired", `exp after ${expected.now}`, exp);
  }
};

const checkNotBefore: Check = ({ claims: { nbf }, config, expected }) => {
  if (nbf === undefined) return;
  if (!isTime(nbf) || nbf - config.clockTolerance > expected.now) {
    throw mismatch("id_token_not_yet_valid", `nbf before ${expected.now}`, nbf);
  }
};

const checkIssuedAt: Check = ({ claims: { iat }, config, expected }) => {
  const isRecent =
    isTime(iat) &&
    iat - config.clockTolerance <= expected.now &&
    iat + config.clockTolerance + oldestSeconds >= expected.now;
  if (!isRecent) throw mismatch("id_token_issued_at", `iat near ${expected.now}`, iat);
};

const checkNonce: Check = ({ claims: { nonce }, expected }) => {
  if (expected.nonce === null) return;
  if (nonce === undefined) {
    throw new Refusal("id_token_nonce", { detail: "the provider dropped the nonce" });
  }
  if (nonce !== expected.nonce) throw new Refusal("id_token_nonce", { detail: "another nonce" });
};

const checkAuthTime: Check = ({ claims: { auth_time: authTime }, config, expected }) => {
  if (expected.maxAge === undefined) return;
  const isRecent =
    isTime(authTime) && authTime + expected.maxAge + config.clockTolerance >= expected.now;
  if (!isRecent) throw mismatch("id_token_auth_time", `max_age ${expected.maxAge}`, authTime);
};

const checkCodeHash: Check = ({ jws, claims, expected: { code } }) => {
  if (code === undefined) return;
  checkHash("id_token_code_hash", claims["c_hash"], code, jws.header.alg);
};

const checkStateHash: Check = ({ jws, claims, expected: { state } }) => {
  if (state === undefined || claims["s_hash"] === undefined) return;
  checkHash("id_token_state_hash", claims["s_hash"], state, jws.header.alg);
};

const checkAccessTokenHash: Check = ({ jws, claims, expected: { accessToken } }) => {
  if (accessToken === undefined || claims["at_hash"] === undefined) return;
  checkHash("id_token_access_token_hash", claims["at_hash"], accessToken, jws.header.alg);
};

const checks: readonly Check[] = [
  checkIsNoLogoutToken,
  checkIssuer,
  checkSubject,
  checkAudience,
  checkAuthorizedParty,
  checkExpiry,
  checkNotBefore,
  checkIssuedAt,
  checkNonce,
  checkAuthTime,
  checkCodeHash,
  checkStateHash,
  checkAccessTokenHash,
];

function checkHash(reason: Reason, claim: unknown, value: string, alg: string) {
  if (claim !== leftHalfHash(value, alg)) throw new Refusal(reason);
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 && value < 1e12;
}

function mismatch(reason: Reason, expected: string | number, found: unknown): Refusal {
  const shown = found === undefined ? "nothing" : oneLine(JSON.stringify(found));
  return new Refusal(reason, { detail: `expected ${expected}, got ${shown}` });
}
