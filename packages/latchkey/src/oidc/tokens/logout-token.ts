import { isJSONObject, kindOf } from "../../crypto/json-object.ts";
import type { Config } from "../../config/config.ts";
import { Refusal } from "../../errors/refusal.ts";
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

type Claims = ProviderToken["payload"];

const kind = "logout_token";

const event = "http://schemas.openid.net/event/backchannel-logout";

/** Seconds after `iat`; a provider delivers a token promptly or never. */
const longestLifeSeconds = 3600;

const charactersAtMost = 1024;

interface Verification {
  readonly config: Config;
  readonly provider: Provider;
  readonly now: () => number;
}

/**
 * Verifies a logout token (Back-Channel Logout 1.0, 2.6).
 *
 * @param now - epoch seconds, read when the provider's keys are known
 * @throws {Refusal} the reason of the first failed check
 */
export async function verifyLogoutToken(
  text: string | undefined,
  { config, provider, now }: Verification,
): Promise<LogoutToken> {
  if (text === undefined || text === "") throw new Refusal({ reason: "token_missing", kind });
  const token = readProviderToken(kind, text);
  checkType(token.header["typ"]);
  await provider.verifySignature(token);
  checkIssuer(token, (await provider.metadata()).issuer);
  checkAudience(token, config.clientID);
  const times = checkTimes(token, { now: now(), clockTolerance: config.clockTolerance });
  checkEvents(token.payload);
  checkNoNonce(token.payload);
  checkTenant(token.payload, config);
  return { ...targetOf(token.payload), jti: tokenId(token.payload), ...times };
}

function checkType(typ: unknown): void {
  const isAllowed =
    typ === undefined ||
    (typeof typ === "string" && /^(?:application\/)?(?:logout\+)?jwt$/i.test(typ));
  if (!isAllowed) throw mismatch({ reason: "token_typ", kind }, "typ logout+jwt", typ);
}

/** Some providers leave `exp` out: then the token is good for a short while after `iat`. */
function checkTimes(
  token: ProviderToken<"logout_token">,
  time: Time,
): Pick<LogoutToken, "issued" | "replayableUntil"> {
  const { iat, exp, nbf } = token.payload;
  checkNotBefore(token, nbf, time);
  checkIssuedAt(token, iat, { ...time, oldestSeconds: longestLifeSeconds });
  const latest = iat + longestLifeSeconds;
  const expiry = exp === undefined ? latest : exp;
  checkExpiry(token, expiry, time);
  return {
    issued: iat,
    replayableUntil: Math.min(expiry, latest) + time.clockTolerance + 1,
  };
}

function checkEvents({ events }: Claims): void {
  if (!isJSONObject(events)) {
    throw new Refusal({ reason: "token_events", kind }, { detail: `events is ${kindOf(events)}` });
  }
  if (!isJSONObject(events[event])) {
    const detail = `${event} in events is ${kindOf(events[event])}`;
    throw new Refusal({ reason: "token_events", kind }, { detail });
  }
}

function checkNoNonce(claims: Claims): void {
  if (!("nonce" in claims)) return;
  throw new Refusal({ reason: "token_nonce", kind }, { detail: kindOf(claims["nonce"]) });
}

function targetOf(claims: Claims): LogoutTarget {
  const [sid, sub] = [optionalName(claims, "sid"), optionalName(claims, "sub")];
  if (sid !== undefined) return { sid, sub };
  if (sub !== undefined) return { sub };
  throw new Refusal({ reason: "token_subject", kind }, { detail: "neither sid nor sub" });
}

function optionalName(claims: Claims, name: "sid" | "sub"): string | undefined {
  const value = claims[name];
  if (value === undefined || isName(value, charactersAtMost)) return value;
  throw new Refusal(
    { reason: "token_subject", kind },
    { detail: faultOfName(name, value, charactersAtMost) },
  );
}

function tokenId({ jti }: Claims): string {
  if (!isName(jti, charactersAtMost)) {
    throw new Refusal(
      { reason: "token_id", kind },
      { detail: faultOfName("jti", jti, charactersAtMost) },
    );
  }
  return jti;
}
