import { type Context, nowSeconds } from "../context.ts";
import type { HostRequest } from "../http/auth-request.ts";
import type { Credentials } from "./credentials.ts";
import { type AccessToken, createTrust, verifyJWT } from "./jwt.ts";
import type { ApiOptions } from "./settings.ts";
import { invalidToken } from "./token-refused.ts";

/** Checks the token of a request. */
export type TokenVerifier = (request: HostRequest, sent: Credentials) => Promise<AccessToken>;

/**
 * Creates the check of access tokens by their header alone, with whatever they are bound to.
 *
 * @throws {TokenRefused} and, if keys cannot be fetched, {@link Refusal}
 */
export function createTokenVerifier(options: ApiOptions, context: Context): TokenVerifier {
  const trust = createTrust(options, context);
  return async (_request: HostRequest, { scheme, token: text }) => {
    const token = await verifyJWT(text, trust, nowSeconds(context));
    if (token.boundKey !== undefined) throw invalidToken("The access token needs a DPoP proof.");
    if (scheme === "DPoP") throw invalidToken("The access token is not bound to a key.");
    return token;
  };
}
