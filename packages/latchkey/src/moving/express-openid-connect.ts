import { isJSONObject, parseJSON } from "../crypto/json-object.ts";
import type { SignInOf } from "./former-sign-in.ts";

/** Reads a cookie of express-openid-connect 2 or 3: the user is in the ID token alone. */
export const signInOfExpressOpenIDConnect: SignInOf = ({ header: { iat, uat, exp }, text }) => {
  const payload = parseJSON(text);
  if (!isJSONObject(payload)) return null;
  const { id_token: idToken, access_token: accessToken, token_type: _type, ...others } = payload;
  const { refresh_token: refreshToken, expires_at: expiresAt, sessionExpiresAt, ...own } = others;
  // Its provider has set an end that no renewal may pass, and a new sign-in brings it again.
  if (sessionExpiresAt !== undefined) return null;
  const tokens = { idToken, accessToken, expiresAt, refreshToken };
  return { ...tokens, user: {}, times: { iat, uat, exp }, own };
};
