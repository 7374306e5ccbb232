import { readCompactJWS } from "../crypto/compact-jws.ts";
import { sha256 } from "../crypto/digest.ts";
import { isNumericDate, type JSONObject } from "../crypto/json-object.ts";
import type { Connection } from "../oidc/connection.ts";
import { grantedScope } from "../oidc/token-request.ts";
import { userClaims } from "../oidc/tokens/user-claims.ts";
import { isName, timeAt } from "../oidc/tokens/token-claims.ts";
import { isAdmittedSignIn } from "../oidc/tokens/verified-elsewhere.ts";
import type { SessionContent } from "../session/seal.ts";
import {
  type HeldToken,
  isSealedHeader,
  type SessionData,
  type SessionHeader,
  storable,
} from "../session/session.ts";
import { sessionTags } from "../session/session-handle.ts";
import type { FormerSignIn } from "./former-sign-in.ts";

/** With whom the user has signed in, and whether sessions keep the ID token. */
export interface Into {
  readonly connection: Connection;
  readonly storeIDToken: boolean;
}

/**
 * Returns the session of a former sign-in; `null` if it is not one of this provider and client, or
 * of a user who may not sign in.
 *
 * The signature of the ID token is not verified again: the former library has done so before it
 * sealed the cookie.
 */
export function sessionOf(
  signIn: FormerSignIn,
  into: Into,
  nowSeconds: number,
): SessionContent | null {
  const claims = readCompactJWS(signIn.idToken)?.payload;
  if (claims === undefined) return null;
  if (!isAdmittedSignIn(into.connection, { claims, user: signIn.user })) return null;
  const { sub } = claims;
  if (!isName(sub, 255) || (signIn.user["sub"] ?? sub) !== sub) return null;
  const header = headerOf(signIn, { claims, sub, connection: into.connection, nowSeconds });
  return header && { header, data: dataOf(signIn, { ...claims, ...signIn.user, sub }, into) };
}

interface Known {
  readonly claims: JSONObject;
  readonly sub: string;
  readonly connection: Connection;
  readonly nowSeconds: number;
}

/** All copies of one cookie make the same id, so that its end is remembered. */
function headerOf(
  { times, sid: kept, sessionExpiry: keptExpiry }: FormerSignIn,
  { claims, sub, connection, nowSeconds }: Known,
): SessionHeader | null {
  const { registration } = connection;
  const { sid = kept, auth_time: authTime, acr } = claims;
  const sessionExpiry = keptExpiry ?? claims["session_expiry"];
  const tags = sessionTags(registration, { sub, sid: isName(sid) ? sid : undefined });
  const { iat, uat = nowSeconds, exp } = times;
  const header = {
    iat,
    uat,
    exp,
    id: sha256(JSON.stringify([registration, tags, iat])).slice(0, idLength),
    ...tags,
    ...registration,
    ...(Number.isSafeInteger(authTime) ? { authTime } : {}),
    ...(typeof acr === "string" ? { acr } : {}),
    ...(sessionExpiry === undefined ? {} : { sessionExpiry }),
  };
  if (!isSealedHeader(header)) return null;
  const { now, clockTolerance } = timeAt(connection, nowSeconds);
  const latest = now + clockTolerance;
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
  { connection, storeIDToken }: Into,
): SessionData {
  const { idToken, refreshToken, own } = signIn;
  const kept = Object.entries(own).filter(([name]) => !ourNames.includes(name));
  return storable({
    ...Object.fromEntries(kept),
    user: userClaims(connection, identity),
    ...(storeIDToken ? { idToken: String(idToken) } : {}),
    ...heldToken(signIn, connection),
    ...(isName(refreshToken) ? { refreshToken } : {}),
  });
}

function heldToken(
  { accessToken, scope, expiresAt }: FormerSignIn,
  connection: Connection,
): HeldToken {
  if (!isName(accessToken)) return {};
  return {
    accessToken,
    accessTokenScope: grantedScope(connection, isName(scope) ? scope : undefined),
    ...(isNumericDate(expiresAt) ? { accessTokenExpiresAt: expiresAt } : {}),
  };
}
