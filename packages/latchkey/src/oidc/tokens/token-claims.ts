import { type CompactJWS, faultOfCompactJWS, readCompactJWS } from "../../crypto/compact-jws.ts";
import { isNumericDate, kindOf, withoutNulls } from "../../crypto/json-object.ts";
import type { Fault } from "../../errors/reasons.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { TokenFault, TokenKind } from "../../errors/token-reasons.ts";
import { quote } from "../client-call.ts";
import { issuerFor } from "../issuer/tenants.ts";

/** A token of the provider; its refusals have its kind. */
export interface ProviderToken<Kind extends TokenKind = TokenKind> extends CompactJWS {
  readonly kind: Kind;
}

/** The tokens that must have `iat`. */
type TimedToken = ProviderToken<"id_token" | "logout_token">;

/** Our clock, and how far the provider's may be from it. */
export interface Time {
  /** Epoch seconds. */
  readonly now: number;
  /** Seconds. */
  readonly clockTolerance: number;
}

/** What makes one kind of token another one, even if it is null. */
const prohibited: Readonly<Record<TokenKind, string | null>> = {
  id_token: "events",
  logout_token: "nonce",
  userinfo_token: null,
};

/**
 * Takes a token apart. A claim that is null counts as absent, unless it is prohibited.
 *
 * @throws {Refusal} `token_malformed`
 */
export function readProviderToken<Kind extends TokenKind>(
  kind: Kind,
  token: unknown,
): ProviderToken<Kind> {
  const jws = readCompactJWS(token);
  if (jws === null) {
    const detail = faultOfCompactJWS(token);
    throw new Refusal({ reason: "token_malformed", kind }, { detail });
  }
  const payload = withoutNulls(jws.payload);
  const name = prohibited[kind];
  if (name !== null && name in jws.payload) payload[name] = jws.payload[name];
  return { ...jws, payload, kind };
}

/**
 * The issuer is the provider's, character by character (OpenID Connect Core 3.1.3.7, step 2), that
 * of the token's tenant if the provider has many.
 */
export function checkIssuer({ kind, payload }: ProviderToken, published: string): void {
  const issuer = issuerFor(published, payload);
  if (issuer === null || payload["iss"] !== issuer) {
    throw mismatch({ reason: "token_issuer", kind }, issuer ?? published, payload["iss"]);
  }
}

/** Checks `aud`: this client, or a list with it (OpenID Connect Core 3.1.3.7, step 3). */
export function checkAudience({ kind, payload: { aud } }: ProviderToken, clientID: string): void {
  const isOurs = Array.isArray(aud) ? aud.includes(clientID) : aud === clientID;
  if (!isOurs) throw mismatch({ reason: "token_audience", kind }, clientID, aud);
}

/** The token has not expired (RFC 7519, 4.1.4). */
export function checkExpiry(
  { kind }: ProviderToken,
  exp: unknown,
  { now, clockTolerance }: Time,
): asserts exp is number {
  if (!isNumericDate(exp) || exp + clockTolerance <= now) {
    throw timeMismatch({ reason: "token_expired", kind }, `exp after ${now}`, exp, now);
  }
}

/** Checks `nbf`, if present (RFC 7519, 4.1.5). */
export function checkNotBefore(
  { kind }: ProviderToken,
  nbf: unknown,
  { now, clockTolerance }: Time,
): void {
  if (nbf === undefined) return;
  if (!isNumericDate(nbf) || nbf - clockTolerance > now) {
    throw timeMismatch({ reason: "token_not_yet_valid", kind }, `nbf before ${now}`, nbf, now);
  }
}

/**
 * The token was made not long ago, and not in the future (OpenID Connect Core 3.1.3.7, step 10).
 */
export function checkIssuedAt(
  { kind }: TimedToken,
  iat: unknown,
  { now, clockTolerance, oldestSeconds }: Time & { readonly oldestSeconds: number },
): asserts iat is number {
  const isRecent =
    isNumericDate(iat) &&
    iat - clockTolerance <= now &&
    iat + clockTolerance + oldestSeconds >= now;
  if (!isRecent)
    throw timeMismatch({ reason: "token_issued_at", kind }, `iat near ${now}`, iat, now);
}

/** Returns whether a value can be an identifier: text, neither empty nor too long. */
export function isName(value: unknown, charactersAtMost = Infinity): value is string {
  return typeof value === "string" && value !== "" && value.length <= charactersAtMost;
}

/** What is wrong with a value that is no name, for the log. */
export function faultOfName(name: string, value: unknown, charactersAtMost: number): string {
  const length = typeof value === "string" ? ` of ${value.length} characters` : "";
  return `expected a text of 1 to ${charactersAtMost} characters, ${name} is ${kindOf(value)}${length}`;
}

/** Returns a refusal with the expected and the received value in its detail. */
export function mismatch(fault: Fault, expected: string | number, found: unknown): Refusal {
  return new Refusal(fault, { detail: detailOf(expected, found) });
}

/** A time farther from now is no fault of a clock, in seconds: a year. */
const nearSeconds = 366 * 86_400;

/** What is wrong with a time that no clock can be the cause of. */
const notByClock = {
  page: "not-confirmed",
  suspect: "what the provider writes into its tokens: a time is a number of seconds since 1970",
} as const;

/** The same for a time: if it is one near the present, a clock is most often wrong. */
function timeMismatch(fault: TokenFault, expected: string, found: unknown, now: number): Refusal {
  const detail = detailOf(expected, found);
  if (!isNumericDate(found) || Math.abs(found - now) > nearSeconds) {
    return new Refusal(fault, { detail, ...notByClock });
  }
  const apart = found > now ? `${found - now} s later` : `${now - found} s earlier`;
  return new Refusal(fault, { detail: `${detail}, ${apart}` });
}

function detailOf(expected: string | number, found: unknown): string {
  const shown = found === undefined ? "nothing" : quote(JSON.stringify(found));
  return `expected ${expected}, got ${shown}`;
}
