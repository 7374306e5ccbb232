import type { Config } from "../config/config.ts";
import { type CompactJWS, readCompactJWS } from "../crypto/compact-jws.ts";
import { Refusal } from "../errors/refusal.ts";
import type { Provider } from "./provider.ts";

/** Whom a verified logout token names. With a `sid` it is that provider session alone, else all of the person. */
export type LogoutTarget = { readonly sid: string } | { readonly sub: string };

export interface LogoutToken {
  readonly target: LogoutTarget;
  readonly jti: string;
  /** Until when, in epoch seconds, the same token might be accepted again were it not remembered. */
  readonly replayableUntil: number;
}

type Claims = CompactJWS["payload"];

const event = "http://schemas.openid.net/event/backchannel-logout";

/** How far ahead an expiry may lie, in seconds: a token is delivered at once or not at all. */
const longestLifeSeconds = 3600;

/**
 * Verifies a logout token (Back-Channel Logout 1.0, 2.6).
 *
 * @param now epoch seconds
 * @throws {Refusal} the reason of the first check that fails
 */
export async function verifyLogoutToken(
  token: string | undefined,
  {
    config,
    provider,
    now,
  }: {
    readonly config: Config;
    readonly provider: Provider;
    readonly now: number;
  },
): Promise<LogoutToken> {
  if (token === undefined || token === "") throw new Refusal("logout_token_missing");
  const jws = readCompactJWS(token);
  if (jws === null) throw new Refusal("id_token_malformed");
  checkType(jws.header["typ"]);
  await provider.verifySignature(jws);
  const claims = jws.payload;
  checkIssuer(claims, (await provider.metadata()).issuer);
  checkAudience(claims, config.clientID);
  const replayableUntil = checkTimes(claims, config.clockTolerance, now);
  checkEvents(claims);
  checkNoNonce(claims);
  return { target: targetOf(claims), jti: tokenId(claims), replayableUntil };
}

function checkType(typ: unknown): void {
  const isAllowed =
    typ === undefined ||
    (typeof typ === "string" && /^(?:application\/)?(?:logout\+)?jwt$/i.test(typ));
  if (!isAllowed) throw new Refusal("logout_token_type");
}

function checkIssuer({ iss }: Claims, issuer: string): void {
  if (iss !== issuer) throw new Refusal("id_token_issuer");
}

function checkAudience({ aud }: Claims, clientID: string): void {
  const isOurs = aud === clientID || (Array.isArray(aud) && aud.includes(clientID));
  if (!isOurs) throw new Refusal("id_token_audience");
}

/** `iat` is always required; some providers leave `exp` out, then the token is good for a short while. */
function checkTimes({ iat, exp }: Claims, tolerance: number, now: number): number {
  if (!isTime(iat) || iat - tolerance > now || iat + tolerance + longestLifeSeconds < now) {
    throw new Refusal("id_token_issued_at");
  }
  const expiry = exp === undefined ? iat + longestLifeSeconds : exp;
  if (!isTime(expiry) || expiry + tolerance <= now) throw new Refusal("id_token_expired");
  return Math.min(expiry, iat + longestLifeSeconds) + tolerance + 1;
}

function checkEvents({ events }: Claims): void {
  if (!isObject(events) || !isObject(events[event])) throw new Refusal("logout_token_events");
}

function checkNoNonce(claims: Claims): void {
  if ("nonce" in claims) throw new Refusal("logout_token_nonce");
}

function targetOf({ sid, sub }: Claims): LogoutTarget {
  if (sid !== undefined && !isName(sid)) throw new Refusal("logout_token_subject");
  if (sub !== undefined && !isName(sub)) throw new Refusal("logout_token_subject");
  if (sid !== undefined) return { sid };
  if (sub !== undefined) return { sub };
  throw new Refusal("logout_token_subject");
}

function tokenId({ jti }: Claims): string {
  if (!isName(jti)) throw new Refusal("logout_token_id");
  return jti;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= 1024;
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(Math.floor(value)) && value >= 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
