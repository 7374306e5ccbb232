import { isJSONObject, type JSONObject, kindOf } from "../../crypto/json-object.ts";
import type { CheckList } from "../checks/check.ts";
import type { Connection } from "../connection.ts";
import { tenantCheck } from "../issuer/tenants.ts";
import {
  audienceCheck,
  expiryCheck,
  isBefore,
  issuedAtCheck,
  issuerCheck,
  nameCheck,
  notBeforeCheck,
  readProviderToken,
  timeRefusal,
  type TokenFacts,
  typeCheck,
} from "./token-claims.ts";
import { verifySignature } from "./verify-signature.ts";

/** A session at the provider, or a person, or both (Back-Channel Logout 1.0, 2.4). */
export type LogoutTarget =
  | { readonly sid: string; readonly sub?: string | undefined }
  | { readonly sid?: undefined; readonly sub: string };

/** A verified logout token. */
export type LogoutToken = LogoutTarget & {
  readonly jti: string;
  /** Epoch seconds, by the provider's clock. */
  readonly issued: number;
  /** Until then, in epoch seconds, the token would pass again were its `jti` not remembered. */
  readonly replayableUntil: number;
};

const kind = "logout_token";

const event = "http://schemas.openid.net/event/backchannel-logout";

/** Seconds after `iat`; a provider delivers a token promptly or never. */
const longestLifeSeconds = 3600;

const charactersAtMost = 1024;

/**
 * Verifies a logout token (Back-Channel Logout 1.0, 2.6).
 *
 * @param now - epoch seconds, read when the provider's keys are known
 * @throws {Refusal} the reason of the first failed check
 */
export async function verifyLogoutToken(
  connection: Connection,
  text: string | undefined,
  now: () => number,
): Promise<LogoutToken> {
  const { check } = connection;
  check(logoutTokenPresence, { text });
  const token = readProviderToken(kind, text, check);
  check(logoutTokenHeader, token);
  await verifySignature(connection, token);
  const { issuer } = await connection.issuer.metadata();
  const claims = token.payload;
  const time = { now: now(), clockTolerance: connection.clockTolerance };
  check(logoutTokenClaims, { token, claims, client: connection, issuer, time });
  const { jti, iat } = claims as { readonly jti: string; readonly iat: number };
  const replayableUntil = Math.min(expiryOf(claims), latestOf(iat)) + time.clockTolerance + 1;
  return { ...targetOf(claims), jti, issued: iat, replayableUntil };
}

/** What is checked before the token is taken apart. */
export const logoutTokenPresence: CheckList<{ readonly text: string | undefined }> = {
  title: "Logout token",
  kind,
  checks: [
    /** The request brings a token (Back-Channel Logout 1.0, 2.5). */
    {
      name: "logout_token",
      reason: "token_missing",
      holds: ({ text }) => text !== undefined && text !== "",
      expected: () => "a token",
      actual: ({ text }) => text,
      refusal: () => ({ detail: undefined }),
    },
  ],
};

/** What is checked before the signature. */
export const logoutTokenHeader: CheckList<Pick<TokenFacts["token"], "header">> = {
  title: "Logout token",
  kind,
  checks: [
    /** The type, if any, is that of a logout token: others have the same keys (RFC 8725, 3.11). */
    typeCheck("logout+jwt", /^(?:application\/)?(?:logout\+)?jwt$/i),
  ],
};

/** The checks of the claims, in their order. */
export const logoutTokenClaims: CheckList<TokenFacts<"logout_token">> = {
  title: "Logout token",
  kind,
  checks: [
    issuerCheck,
    audienceCheck,
    notBeforeCheck,
    issuedAtCheck(longestLifeSeconds),
    /** The token has not expired; without `exp` it is good for an hour after `iat`. */
    {
      ...expiryCheck,
      holds: ({ claims, time }) => isBefore(time, expiryOf(claims)),
      refusal: ({ claims, time }) => timeRefusal("exp after", expiryOf(claims), time),
    },
    /** `events` has the event of this logout, an object (Back-Channel Logout 1.0, 2.4). */
    {
      name: "events",
      reason: "token_events",
      holds: ({ claims: { events } }) => isJSONObject(events) && isJSONObject(events[event]),
      expected: () => event,
      actual: ({ claims }) => claims["events"],
      refusal: ({ claims: { events } }) => ({
        detail: isJSONObject(events)
          ? `${event} in events is ${kindOf(events[event])}`
          : `events is ${kindOf(events)}`,
      }),
    },
    /** It has no nonce, so it is no ID token (2.4). */
    {
      name: "nonce",
      reason: "token_nonce",
      holds: ({ claims }) => !("nonce" in claims),
      expected: () => "none",
      actual: ({ claims }) => claims["nonce"],
      isSecret: true,
      refusal: ({ claims }) => ({ detail: kindOf(claims["nonce"]) }),
    },
    tenantCheck,
    /** The session is named by a text, if it is (2.4). */
    {
      ...nameCheck("sid", "token_subject", charactersAtMost),
      applies: ({ claims }) => claims["sid"] !== undefined,
    },
    /** The user is named by a text, if they are (2.4). */
    {
      ...nameCheck("sub", "token_subject", charactersAtMost),
      applies: ({ claims }) => claims["sub"] !== undefined,
    },
    /** It names a session, a user, or both (2.4). */
    {
      name: "sid or sub",
      reason: "token_subject",
      holds: ({ claims: { sid, sub } }) => (sid ?? sub) !== undefined,
      expected: () => "at least one",
      actual: () => undefined,
      refusal: () => ({ detail: "neither sid nor sub" }),
    },
    /** It has an identifier, by which it counts once (2.4). */
    nameCheck("jti", "token_id", charactersAtMost),
  ],
};

/** The last second at which a token counts, by its `iat` alone. */
function latestOf(iat: number): number {
  return iat + longestLifeSeconds;
}

/** The end of a token whose `iat` was checked, in epoch seconds. */
function expiryOf({ exp, iat }: JSONObject): number {
  return (exp === undefined ? latestOf(iat as number) : exp) as number;
}

function targetOf({ sid, sub }: JSONObject): LogoutTarget {
  const named = { sid, sub } as { readonly sid?: string; readonly sub?: string };
  return (named.sid === undefined ? { sub: named.sub } : named) as LogoutTarget;
}
