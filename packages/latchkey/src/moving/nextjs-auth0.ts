import { isJSONObject, type JSONObject, parseJSON } from "../crypto/json-object.ts";
import type { FormerSignIn, SignInOf } from "./former-sign-in.ts";

/** Reads a cookie of nextjs-auth0 4, or of version 3, which has the times in its header. */
export const signInOfNextjsAuth0: SignInOf = ({ header, text }) => {
  const payload = parseJSON(text);
  if (!isJSONObject(payload) || !isJSONObject(payload["user"])) return null;
  const { user } = payload;
  return header["iat"] === undefined
    ? ofVersion4(payload, user)
    : ofVersion3(payload, user, header);
};

function ofVersion4(payload: JSONObject, user: JSONObject): FormerSignIn | null {
  const { tokenSet, internal, exp, user: _user, ...others } = payload;
  const { accessTokens: _others, connectionTokenSets: _ofConnections, ...own } = others;
  if (!isJSONObject(tokenSet) || !isJSONObject(internal)) return null;
  const { idToken, accessToken, scope, expiresAt, refreshToken, token_type: type } = tokenSet;
  const { sid, createdAt: iat, sessionExpiresAt: sessionExpiry } = internal;
  // A token with a key of that library is of no use without it (RFC 9449).
  const isBearer = typeof type !== "string" || type.toLowerCase() === "bearer";
  const tokens = { ...(isBearer ? { accessToken, scope, expiresAt } : {}), refreshToken };
  return { idToken, user, sid, ...tokens, times: { iat, exp }, sessionExpiry, own };
}

function ofVersion3(payload: JSONObject, user: JSONObject, header: JSONObject): FormerSignIn {
  const { idToken, accessToken, accessTokenScope, refreshToken, ...others } = payload;
  const { accessTokenExpiresAt, user: _user, ...own } = others;
  const { iat, uat, exp } = header;
  return {
    idToken,
    user,
    accessToken,
    scope: accessTokenScope,
    expiresAt: accessTokenExpiresAt,
    refreshToken,
    times: { iat, uat, exp },
    own,
  };
}
