import type { Config } from "../../config/config.ts";
import { type CompactJWS, faultOfCompactJWS, readCompactJWS } from "../../crypto/compact-jws.ts";
import { isNumericDate, type JSONObject, kindOf, withoutNulls } from "../../crypto/json-object.ts";
import type { Reason } from "../../errors/reasons.ts";
import type { RefusalDetail } from "../../errors/refusal.ts";
import type { TokenKind } from "../../errors/token-reasons.ts";
import { type Check, detailOf, forEachKind, type RunChecks, runChecks } from "../checks/check.ts";
import type { Connection } from "../connection.ts";
import { issuerFor } from "../issuer/tenants.ts";

/** A token of the provider; its refusals have its kind. */
export interface ProviderToken<Kind extends TokenKind = TokenKind> extends CompactJWS {
  readonly kind: Kind;
}

/** Our clock, and how far the provider's may be from it. */
export interface Time {
  /** Epoch seconds. */
  readonly now: number;
  /** Seconds. */
  readonly clockTolerance: number;
}

/** @param now - epoch seconds */
export function timeAt({ clockTolerance }: Pick<Connection, "clockTolerance">, now: number): Time {
  return { now, clockTolerance };
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
  text: unknown,
  check: RunChecks = runChecks,
): ProviderToken<Kind> {
  const jws = readCompactJWS(text);
  check(formChecks[kind], { text, jws });
  // The check has refused a text that is no token.
  const { token, header, payload: claims } = jws as CompactJWS;
  const payload = withoutNulls(claims);
  const name = prohibited[kind];
  if (name !== null && name in claims) payload[name] = claims[name];
  return { token, header, payload, kind };
}

interface Read {
  readonly text: unknown;
  readonly jws: CompactJWS | null;
}

/** The checks of the form. */
export const formChecks = forEachKind<Read>((title) => [
  /** The token is a signed JWT in its one canonical form (RFC 7515, 5.2; RFC 8725, 3.1). */
  {
    name: title,
    reason: "token_malformed",
    holds: ({ jws }) => jws !== null,
    expected: () => "a signed JWT in three parts",
    actual: ({ text, jws }) => (jws === null ? faultOfCompactJWS(text) : "one"),
    refusal: ({ text }) => ({ detail: faultOfCompactJWS(text) }),
  },
]);

/** What the checks of a token compare. */
export interface TokenFacts<Kind extends TokenKind = TokenKind> {
  readonly token: ProviderToken<Kind>;
  readonly claims: JSONObject;
  readonly client: ClientFacts;
  /** As the provider publishes it. */
  readonly issuer: string;
  readonly time: Time;
}

/** The settings of the client that say which tokens are for it. */
export type ClientFacts = Pick<
  Config,
  "clientID" | "trustedAudiences" | "idTokenSigningAlg" | "tenants"
>;

/** A token that names its type has this one. */
export function typeCheck(name: string, pattern: RegExp): Check<Pick<CompactJWS, "header">> {
  return {
    name: "typ",
    reason: "token_malformed",
    holds: ({ header: { typ } }) =>
      typ === undefined || (typeof typ === "string" && pattern.test(typ)),
    expected: () => `typ ${name}`,
    actual: ({ header }) => header["typ"],
  };
}

/**
 * The issuer is the provider's, character by character (OpenID Connect Core 3.1.3.7, step 2), that
 * of the token's tenant if the provider has many.
 */
export const issuerCheck: Check<Pick<TokenFacts, "claims" | "issuer">> = {
  name: "iss",
  reason: "token_issuer",
  holds: ({ claims, issuer }) => {
    const expected = issuerFor(issuer, claims);
    return expected !== null && claims["iss"] === expected;
  },
  expected: ({ claims, issuer }) => issuerFor(issuer, claims) ?? issuer,
  actual: ({ claims }) => claims["iss"],
};

/** The audience is this client, or a list with it (OpenID Connect Core 3.1.3.7, step 3). */
export const audienceCheck: Check<Pick<TokenFacts, "claims" | "client">> = {
  name: "aud",
  reason: "token_audience",
  holds: ({ claims: { aud }, client: { clientID } }) =>
    Array.isArray(aud) ? aud.includes(clientID) : aud === clientID,
  expected: ({ client }) => client.clientID,
  actual: ({ claims }) => claims["aud"],
};

/** The token has not expired (RFC 7519, 4.1.4). */
export const expiryCheck: Check<Pick<TokenFacts, "claims" | "time">> = {
  name: "exp",
  reason: "token_expired",
  holds: ({ claims, time }) => isBefore(time, claims["exp"]),
  expected: ({ time }) => `after ${describeTime(time)}`,
  actual: ({ claims }) => describeMoment(claims["exp"]),
  refusal: ({ claims, time }) => timeRefusal("exp after", claims["exp"], time),
};

/** The token is valid already, if it says when that begins (RFC 7519, 4.1.5). */
export const notBeforeCheck: Check<Pick<TokenFacts, "claims" | "time">> = {
  name: "nbf",
  reason: "token_not_yet_valid",
  applies: ({ claims }) => claims["nbf"] !== undefined,
  holds: ({ claims: { nbf }, time: { now, clockTolerance } }) =>
    isNumericDate(nbf) && nbf - clockTolerance <= now,
  expected: ({ time }) => `before ${describeTime(time)}`,
  actual: ({ claims }) => describeMoment(claims["nbf"]),
  refusal: ({ claims, time }) => timeRefusal("nbf before", claims["nbf"], time),
};

/**
 * The token was made not long ago, and not in the future (OpenID Connect Core 3.1.3.7, step 10).
 *
 * @param oldestSeconds - how old it may be when it arrives
 */
export function issuedAtCheck(oldestSeconds: number): Check<Pick<TokenFacts, "claims" | "time">> {
  return {
    name: "iat",
    reason: "token_issued_at",
    holds: ({ claims: { iat }, time: { now, clockTolerance } }) =>
      isNumericDate(iat) &&
      iat - clockTolerance <= now &&
      iat + clockTolerance + oldestSeconds >= now,
    expected: ({ time }) => `at most ${oldestSeconds} s before ${describeTime(time)}`,
    actual: ({ claims }) => describeMoment(claims["iat"]),
    refusal: ({ claims, time }) => timeRefusal("iat near", claims["iat"], time),
  };
}

/** Returns whether it is earlier than the end of a token, whose clock may differ. */
export function isBefore({ now, clockTolerance }: Time, end: unknown): boolean {
  return isNumericDate(end) && end + clockTolerance > now;
}

/** Our clock, for readers. */
export function describeTime({ now, clockTolerance }: Time): string {
  return `${String(describeMoment(now))}, tolerance ${clockTolerance} s`;
}

/** The last second that a date can have. */
const latest = 8_640_000_000_000;

/** Returns a time with the same for readers; what is no time, as it is. */
export function describeMoment(seconds: unknown): unknown {
  if (!isNumericDate(seconds) || seconds > latest) return seconds;
  return `${seconds} (${new Date(seconds * 1000).toISOString().slice(0, 19)}Z)`;
}

/** Returns whether a value can be an identifier: text, neither empty nor too long. */
export function isName(value: unknown, charactersAtMost = Infinity): value is string {
  return typeof value === "string" && value !== "" && value.length <= charactersAtMost;
}

/** A claim is an identifier: a text, neither empty nor too long. */
export function nameCheck(
  name: string,
  reason: Reason,
  charactersAtMost: number,
): Check<Pick<TokenFacts, "claims">> {
  const form = `a text of 1 to ${charactersAtMost} characters`;
  return {
    name,
    reason,
    holds: ({ claims }) => isName(claims[name], charactersAtMost),
    expected: () => form,
    actual: ({ claims }) => claims[name],
    refusal: ({ claims: { [name]: value } }) => {
      const length = typeof value === "string" ? ` of ${value.length} characters` : "";
      return { detail: `expected ${form}, ${name} is ${kindOf(value)}${length}` };
    },
  };
}

/** A time farther from now is no fault of a clock, in seconds: a year. */
const nearSeconds = 366 * 86_400;

/** What is wrong with a time that no clock can be the cause of. */
const notByClock = {
  page: "not-confirmed",
  suspect: "what the provider writes into its tokens: a time is a number of seconds since 1970",
} as const;

/** What is wrong with a time: if it is one near the present, a clock is most often wrong. */
export function timeRefusal(expected: string, found: unknown, { now }: Time): RefusalDetail {
  const detail = detailOf(`${expected} ${now}`, found);
  if (!isNumericDate(found) || Math.abs(found - now) > nearSeconds) {
    return { detail, ...notByClock };
  }
  const apart = found > now ? `${found - now} s later` : `${now - found} s earlier`;
  return { detail: `${detail}, ${apart}` };
}
