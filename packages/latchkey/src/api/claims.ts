import { isJSONObject, isNumericDate, type JSONObject } from "../crypto/json-object.ts";
import { oneLine } from "../errors/one-line.ts";
import { invalidToken, type TokenRefused } from "./token-refused.ts";

/** Seconds that the clock of an issuer may differ from ours. */
export const toleranceSeconds = 30;

/** The token is good now (RFC 7519, 4.1.4 to 4.1.6). */
export function checkTimes({ exp, nbf, iat }: JSONObject, now: number): void {
  if (!isNumericDate(exp) || exp + toleranceSeconds <= now) {
    throw invalidToken("The access token has expired.", `exp ${printValue(exp)}, now ${now}`);
  }
  for (const [name, time] of Object.entries({ nbf, iat })) {
    if (time === undefined || (isNumericDate(time) && time - toleranceSeconds <= now)) continue;
    const detail = `${name} ${printValue(time)}, now ${now}`;
    throw invalidToken("The access token is not valid yet.", detail);
  }
}

/** The token is for this API (RFC 9068, section 4). */
export function checkAudience(
  { aud }: JSONObject,
  audience: readonly string[],
  hint?: string,
): void {
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  const isWellFormed = named.every((each) => typeof each === "string");
  if (isWellFormed && named.some((each) => audience.includes(each))) return;
  throw wrongAudience(withHint(`expected ${audience.join(" or ")}, got ${printValue(aud)}`, hint));
}

export function withHint(detail: string, hint: string | undefined): string {
  return hint === undefined ? detail : `${detail}; ${hint}`;
}

export function wrongAudience(detail: string): TokenRefused {
  return invalidToken("The access token is for another audience.", `aud: ${detail}`);
}

/** Members that only tokens of other kinds have: an ID token, a logout token, an introspection. */
const foreignMembers = ["nonce", "at_hash", "c_hash", "s_hash", "events", "token_introspection"];
const foreignTypes = ["id", "refresh", "logout", "offline"];

/**
 * No other token that the issuer signs is an access token (RFC 8725, 3.12). A member of another
 * kind gives it away, also if it is null.
 */
export function refuseOtherKinds(claims: JSONObject): void {
  const foreign = foreignMembers.find((name) => Object.hasOwn(claims, name));
  if (foreign !== undefined) throw otherKind(`it has ${foreign}`);
  const { typ, token_use: use } = claims;
  if (foreignTypes.includes(String(typ).toLowerCase())) throw otherKind(`typ ${printValue(typ)}`);
  if (use != null && use !== "access" && use !== "access_token") {
    throw otherKind(`token_use ${printValue(use)}`);
  }
}

export function otherKind(detail: string): TokenRefused {
  return invalidToken("This is no access token for this API.", detail);
}

/** Its identifier is text, if it has one (RFC 7519, 4.1.7). */
export function checkID({ jti }: JSONObject): void {
  if (jti === undefined || (typeof jti === "string" && jti !== "")) return;
  throw invalidToken("The access token has no usable identifier.", `jti ${printValue(jti)}`);
}

/** The user, or the client itself (RFC 9068, 2.2). */
export function subjectOf({ sub }: JSONObject): string {
  if (typeof sub === "string" && sub !== "") return sub;
  throw invalidToken("The access token names no subject.", `sub ${printValue(sub)}`);
}

/** The client that got the token: providers have four names for it. */
export function clientOf(claims: JSONObject): string | null {
  const { client_id: id, azp, appid, cid } = claims;
  return agreeOn("client", [id, azp, appid, cid].map(clientName));
}

function clientName(value: unknown): string | undefined {
  if (value === undefined || (typeof value === "string" && value !== "")) return value;
  throw invalidToken("The access token names no client.", `client ${printValue(value)}`);
}

/** The granted scopes: text in `scope` or `scp`, or the list that some providers send. */
export function scopesOf({ scope, scp }: JSONObject): readonly string[] {
  const first = readScopes(scope);
  const second = readScopes(scp);
  if (first !== undefined && second !== undefined && sortScopes(first) !== sortScopes(second)) {
    throw badScope(scp);
  }
  return first ?? second ?? [];
}

/** Each item of a list is one scope: nothing is split out of it. */
function readScopes(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string") return value.split(" ").filter((each) => each !== "");
  if (Array.isArray(value) && value.every(isScope)) return value;
  throw badScope(value);
}

function isScope(value: unknown): value is string {
  return typeof value === "string" && /^\S+$/.test(value);
}

function badScope(value: unknown): TokenRefused {
  return invalidToken(
    "The scope of the access token cannot be read.",
    `scope ${printValue(value)}`,
  );
}

function sortScopes(scopes: readonly string[]): string {
  return [...new Set(scopes)].toSorted().join(" ");
}

function agreeOn(what: string, values: readonly (string | undefined)[]): string | null {
  const [first, ...others] = new Set(values.filter((each) => each !== undefined));
  if (others.length === 0) return first ?? null;
  throw invalidToken(`The access token names several ${what}s.`, `${what} ${printValue(values)}`);
}

/**
 * The thumbprint of the key that a token is bound to (RFC 9449, 6.1); `undefined` for a token that
 * is not bound. A binding that cannot be checked here, such as to a certificate, is refused.
 */
export function boundKeyOf({ cnf }: JSONObject): string | undefined {
  if (cnf === undefined) return undefined;
  const { jkt, ...others } = isJSONObject(cnf) ? cnf : {};
  if (typeof jkt === "string" && jkt !== "" && Object.keys(others).length === 0) return jkt;
  throw invalidToken(
    "The access token is bound in a way that is not checked here.",
    `cnf ${printValue(isJSONObject(cnf) ? Object.keys(cnf) : cnf)}`,
  );
}

/** A value of a token, for the log. */
export function printValue(value: unknown): string {
  return value === undefined ? "nothing" : oneLine(JSON.stringify(value), 200);
}
