import { isJSONObject, parseJSON } from "../crypto/json-object.ts";
import type { SignInOf } from "./former-sign-in.ts";

/** Reads a cookie of express-openid-connect 2 or 3: the user is in the ID token alone. */
export const signInOfExpressOpenIDConnect: SignInOf = ({ header: { iat, uat, exp }, text }) => {
  const payload = parseJSON(text);
  if (!isJSONObject(payload)) return null;
  const { id_token: idToken, access_token: accessToken, token_type: _type, ...others } = payload;
  const {
    refresh_token: refreshToken,
    expires_at: expiresAt,
    sessionExpiresAt: sessionExpiry,
    ...own
  } = others;
  const tokens = { idToken, accessToken, expiresAt, refreshToken, sessionExpiry };
  return { ...tokens, user: {}, times: { iat, uat, exp }, own };
};
