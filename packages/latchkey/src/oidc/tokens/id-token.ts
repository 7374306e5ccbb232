import type { Config } from "../../config/config.ts";
import { isNumericDate, kindOf } from "../../crypto/json-object.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { TokenFault } from "../../errors/token-reasons.ts";
import { quote } from "../client-call.ts";
import type { Metadata } from "../issuer/metadata.ts";
import type { Provider } from "../provider.ts";
import { checkTenant } from "../issuer/tenants.ts";
import {
  checkAudience,
  checkExpiry,
  checkIssuedAt,
  checkIssuer,
  checkNotBefore,
  faultOfName,
  isName,
  mismatch,
  type ProviderToken,
  readProviderToken,
  type Time,
} from "./token-claims.ts";
import { leftHalfHash } from "./token-hash.ts";

/** The claims of a verified ID token. */
export interface IDTokenClaims {
  readonly iss: string;
  readonly sub: string;
  /** Epoch seconds, by the provider's clock; may have a fraction. */
  readonly iat: number;
  readonly [claim: string]: unknown;
}

/** What the token must agree with; absent members are not checked. */
export interface Expected {
  /** The nonce of the transaction; `null` for the token of a refresh, which has none. */
  readonly nonce: string | null;
  /** Seconds, 0 included. */
  readonly maxAge?: number | undefined;
  /** The code beside the token, which then must have `c_hash`. */
  readonly code?: string | undefined;
  /** The state beside the token: compared if the token has `s_hash`. */
  readonly state?: string | undefined;
  /** The access token beside the token: compared if the token has `at_hash`. */
  readonly accessToken?: string | undefined;
  /** Epoch seconds. */
  readonly now: number;
}

interface Verification {
  readonly config: Config;
  readonly provider: Provider;
  readonly expected: Expected;
}

interface Checked extends Omit<Verification, "provider"> {
  readonly token: ProviderToken<"id_token">;
  readonly claims: ProviderToken["payload"];
  readonly metadata: Metadata;
  readonly time: Time;
}

const kind = "id_token";

type Check = (checked: Checked) => void;

/** A token may be this old when it arrives, in seconds. */
const oldestSeconds = 600;

/**
 * Verifies an ID token: its signature with the provider's key and the configured algorithm, then
 * every claim (OpenID Connect Core 3.1.3.7, 3.2.2.11, 3.3.2.12), in this order.
 *
 * @throws {Refusal} the reason of the first failed check
 */
export async function verifyIDToken(
  text: string | undefined,
  { config, provider, expected }: Verification,
): Promise<IDTokenClaims> {
  const token = readProviderToken(kind, text);
  checkType(token.header["typ"]);
  await provider.verifySignature(token);
  const metadata = await provider.metadata();
  const claims = token.payload;
  const time = { now: expected.now, clockTolerance: config.clockTolerance };
  for (const check of checks) check({ token, claims, config, metadata, expected, time });
  return claims as unknown as IDTokenClaims;
}

/** Logout tokens and access tokens are signed by the same keys (RFC 8725, 3.11). */
function checkType(typ: unknown): void {
  const isAllowed =
    typ === undefined || (typeof typ === "string" && /^(?:application\/)?jwt$/i.test(typ));
  if (!isAllowed) throw mismatch({ reason: "token_malformed", kind }, "typ JWT", typ);
}

const checkIsNoLogoutToken: Check = ({ claims }) => {
  if (!("events" in claims)) return;
  const detail = `it has events (${kindOf(claims["events"])}), as a logout token`;
  throw new Refusal({ reason: "token_malformed", kind }, { detail });
};

const checkSubject: Check = ({ claims: { sub } }) => {
  if (isName(sub, 255)) return;
  const detail = faultOfName("sub", sub, 255);
  throw new Refusal({ reason: "token_subject", kind }, { detail });
};

/** Each audience beside us must be trusted (3.1.3.7, step 3). */
const checkOtherAudiences: Check = ({
  claims: { aud },
  config: { clientID, trustedAudiences },
}) => {
  const areTrusted =
    !Array.isArray(aud) ||
    aud.every((each: unknown) => each === clientID || trustedAudiences.some((one) => one === each));
  if (!areTrusted) throw mismatch({ reason: "token_audience", kind }, clientID, aud);
};

/** Each further audience would know the secret and could make such tokens (3.1.3.7, step 8). */
const checkAudiencesUnderHMAC: Check = ({ claims: { aud }, config }) => {
  if (config.idTokenSigningAlg.startsWith("HS") && hasOtherAudiences(aud, config)) {
    throw new Refusal(
      { reason: "token_audience", kind },
      { detail: "several audiences share an HMAC secret" },
    );
  }
};

/** With further audiences, `azp` must be this client (3.1.3.7, steps 4 and 5). */
const checkAuthorizedParty: Check = ({ claims: { aud, azp }, config }) => {
  if (azp === undefined && !hasOtherAudiences(aud, config)) return;
  if (azp !== config.clientID)
    throw mismatch({ reason: "token_authorized_party", kind }, config.clientID, azp);
};

/** Returns whether a token is also for others than this client. */
export function hasOtherAudiences(aud: unknown, { clientID }: Pick<Config, "clientID">): boolean {
  return Array.isArray(aud) && aud.some((each) => each !== clientID);
}

const checkNonce: Check = ({ claims: { nonce }, expected }) => {
  if (expected.nonce === null) return;
  if (nonce === undefined) {
    throw new Refusal(
      { reason: "token_nonce", kind },
      { detail: "the provider dropped the nonce" },
    );
  }
  if (nonce === expected.nonce) return;
  const found = isName(nonce) ? "another nonce" : `nonce is ${kindOf(nonce)}, not a text`;
  throw new Refusal({ reason: "token_nonce", kind }, { detail: found });
};

const checkAuthTime: Check = ({ claims: { auth_time: authTime }, expected: { maxAge }, time }) => {
  if (maxAge === undefined) return;
  const isRecent =
    isNumericDate(authTime) &&
    authTime - time.clockTolerance <= time.now &&
    authTime + maxAge + time.clockTolerance >= time.now;
  if (!isRecent) throw mismatch({ reason: "token_auth_time", kind }, `max_age ${maxAge}`, authTime);
};

const checkCodeHash: Check = ({ token, claims, expected: { code } }) => {
  if (code === undefined) return;
  checkHash({ reason: "token_code_hash", kind }, claims["c_hash"], code, token.header.alg);
};

const checkStateHash: Check = ({ token, claims, expected: { state } }) => {
  if (state === undefined || claims["s_hash"] === undefined) return;
  checkHash({ reason: "token_state_hash", kind }, claims["s_hash"], state, token.header.alg);
};

const checkAccessTokenHash: Check = ({ token, claims, expected: { accessToken } }) => {
  if (accessToken === undefined || claims["at_hash"] === undefined) return;
  checkHash(
    { reason: "token_access_token_hash", kind },
    claims["at_hash"],
    accessToken,
    token.header.alg,
  );
};

const checks: readonly Check[] = [
  checkIsNoLogoutToken,
  ({ token, metadata }) => checkIssuer(token, metadata.issuer),
  checkSubject,
  ({ token, config }) => checkAudience(token, config.clientID),
  checkOtherAudiences,
  checkAudiencesUnderHMAC,
  checkAuthorizedParty,
  ({ token, claims, time }) => checkExpiry(token, claims["exp"], time),
  ({ token, claims, time }) => checkNotBefore(token, claims["nbf"], time),
  ({ token, claims, time }) => checkIssuedAt(token, claims["iat"], { ...time, oldestSeconds }),
  checkNonce,
  checkAuthTime,
  checkCodeHash,
  checkStateHash,
  checkAccessTokenHash,
  // Last, because it is about a user whose token is good.
  ({ claims, config }) => checkTenant(claims, config),
];

function checkHash(fault: TokenFault, claim: unknown, value: string, alg: string) {
  if (claim === leftHalfHash(value, alg)) return;
  const found = typeof claim === "string" && claim !== "" ? "another hash" : kindOf(claim);
  throw new Refusal(fault, { detail: `expected the hash under ${quote(alg)}, got ${found}` });
}
