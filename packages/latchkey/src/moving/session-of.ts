import type { Config } from "../config/config.ts";
import { readCompactJWS } from "../crypto/compact-jws.ts";
import { sha256 } from "../crypto/digest.ts";
import { isNumericDate, type JSONObject } from "../crypto/json-object.ts";
import { checkTenant } from "../oidc/issuer/tenants.ts";
import { checkOrganization } from "../oidc/tokens/organization.ts";
import { isName } from "../oidc/tokens/token-claims.ts";
import type { SessionContent } from "../session/seal.ts";
import {
  type HeldToken,
  identityOf,
  isSealedHeader,
  type SessionData,
  type SessionHeader,
  storable,
} from "../session/session.ts";
import { registrationOf, sessionTags } from "../session/session-handle.ts";
import type { FormerSignIn } from "./former-sign-in.ts";

/**
 * Returns the session of a former sign-in; `null` if it is not one of this provider and client, or
 * of a user who may not sign in.
 *
 * The signature of the ID token is not verified again: the former library has done so before it
 * sealed the cookie.
 */
export function sessionOf(
  signIn: FormerSignIn,
  config: Config,
  nowSeconds: number,
): SessionContent | null {
  const claims = readCompactJWS(signIn.idToken)?.payload;
  if (claims === undefined || !isForUs(claims, config)) return null;
  const { sub } = claims;
  if (!isName(sub, 255) || (signIn.user["sub"] ?? sub) !== sub) return null;
  const header = headerOf(signIn, { claims, sub, config, nowSeconds });
  return header && { header, data: dataOf(signIn, { ...claims, ...signIn.user, sub }, config) };
}

/** The provider and the client are ours, and so is every further audience of the ID token. */
function isForUs(claims: JSONObject, config: Config): boolean {
  const { iss, aud, azp = config.clientID } = claims;
  const audiences: readonly unknown[] = [aud].flat();
  const trusted: readonly unknown[] = [config.clientID, ...config.trustedAudiences];
  return (
    isSameIssuer(iss, config.issuerBaseURL) &&
    audiences.includes(config.clientID) &&
    audiences.every((each) => trusted.includes(each)) &&
    azp === config.clientID &&
    isAdmitted(claims, config)
  );
}

/** The setting may lack the slash at the end, which the metadata have. */
function isSameIssuer(issuer: unknown, setting: string): boolean {
  return issuer === setting || issuer === `${setting}/`;
}

function isAdmitted(claims: JSONObject, config: Config): boolean {
  try {
    checkOrganization(claims, config.organization);
    checkTenant(claims, config);
    return true;
  } catch {
    return false;
  }
}

interface Known {
  readonly claims: JSONObject;
  readonly sub: string;
  readonly config: Config;
  readonly nowSeconds: number;
}

/** All copies of one cookie make the same id, so that its end is remembered. */
function headerOf(
  { times, sid: kept }: FormerSignIn,
  { claims, sub, config, nowSeconds }: Known,
): SessionHeader | null {
  const registration = registrationOf(config);
  const { sid = kept, auth_time: authTime, acr } = claims;
  const tags = sessionTags(registration, { sub, sid: isName(sid) ? sid : undefined });
  const { iat, uat = nowSeconds, exp } = times;
  const header = {
    iat,
    uat,
    exp,
    id: sha256(JSON.stringify([registration, tags, iat])).slice(0, idLength),
    ...tags,
    ...(Number.isSafeInteger(authTime) ? { authTime } : {}),
    ...(typeof acr === "string" ? { acr } : {}),
  };
  if (!isSealedHeader(header)) return null;
  const latest = nowSeconds + config.clockTolerance;
  return header.iat <= latest && header.uat <= latest ? header : null;
}

/** Characters of a session id: 132 bits. */
const idLength = 22;

/** Names with a meaning of ours: a field of the app has another one. */
const ourNames = [
  "accessToken",
  "accessTokenExpiresAt",
  "accessTokenScope",
  "device",
  "exchangedTokens",
  "idToken",
  "refreshToken",
  "resourceTokens",
];

function dataOf(
  signIn: FormerSignIn,
  identity: JSONObject & { readonly sub: string },
  config: Config,
): SessionData {
  const { idToken, refreshToken, own } = signIn;
  const kept = Object.entries(own).filter(([name]) => !ourNames.includes(name));
  return storable({
    ...Object.fromEntries(kept),
    user: identityOf(config, identity),
    ...(config.session.storeIDToken ? { idToken: String(idToken) } : {}),
    ...heldToken(signIn, config),
    ...(isName(refreshToken) ? { refreshToken } : {}),
  });
}

function heldToken({ accessToken, scope, expiresAt }: FormerSignIn, config: Config): HeldToken {
  if (!isName(accessToken)) return {};
  return {
    accessToken,
    accessTokenScope: isName(scope) ? scope : config.scope,
    ...(isNumericDate(expiresAt) ? { accessTokenExpiresAt: expiresAt } : {}),
  };
}
