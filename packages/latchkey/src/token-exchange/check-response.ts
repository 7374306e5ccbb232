import type { TokenResponse } from "../oidc/token-response.ts";
import { type Form, accessTokenType } from "./forms.ts";

const jwtType = "urn:ietf:params:oauth:token-type:jwt";

/**
 * Returns what is wrong with a token response, as words; `null` if the token may be used. Its
 * `token_type` was checked before: only `Bearer` is accepted.
 */
export function faultOfResponse(
  { namesTokenType }: Form,
  subjectToken: string,
  { accessToken, issuedTokenType }: TokenResponse,
): string | null {
  if (issuedTokenType === undefined && namesTokenType) return "issued_token_type is missing";
  const isAccessToken = issuedTokenType === accessTokenType || issuedTokenType === jwtType;
  if (issuedTokenType !== undefined && !isAccessToken) {
    return "issued_token_type is not an access token";
  }
  if (accessToken === subjectToken) return "it returned the token that was to be exchanged";
  return null;
}
