import { postAsClient, refusalOfCall } from "./client-call.ts";
import { clientAuthMethod } from "./client-authentication.ts";
import type { Connection } from "./connection.ts";
import { readTokenResponse, type TokenResponse } from "./token-response.ts";

/** What a callback knows of a code. */
export interface CodeGrant {
  readonly code: string;
  readonly codeVerifier: string;
  /** The one of the authorization request. */
  readonly redirectURI: string;
}

/** Exchanges an authorization code (OpenID Connect Core 3.1.3.1). A code is spent by one try. */
export function requestTokens(
  connection: Connection,
  { code, codeVerifier, redirectURI }: CodeGrant,
): Promise<TokenResponse> {
  return callTokenEndpoint(connection, "authorization_code", {
    code,
    code_verifier: codeVerifier,
    redirect_uri: redirectURI,
  });
}

/** Returns the scope of the token of a sign-in: without one, the requested one is granted. */
export function grantedScope({ scope }: Pick<Connection, "scope">, granted?: string): string {
  return granted ?? scope;
}

/** The access token requested by a refresh. */
export interface WantedToken {
  /** Its resource server (RFC 8707, section 2.2); `undefined` for the token of the sign-in. */
  readonly resource?: string | undefined;
  /** Requested together with a resource. */
  readonly scope?: string | undefined;
}

/** Sends a refresh token (OpenID Connect Core 12.1). Its caller ensures a single use. */
export function refreshTokens(
  connection: Connection,
  refreshToken: string,
  { resource, scope }: WantedToken = {},
): Promise<TokenResponse> {
  return callTokenEndpoint(connection, "refresh_token", {
    refresh_token: refreshToken,
    ...(resource === undefined ? {} : { resource }),
    ...(scope === undefined ? {} : { scope }),
  });
}

/**
 * Sends a token request with the client's credentials.
 *
 * @throws {Refusal} whatever the provider answers but a token response
 */
export async function callTokenEndpoint(
  connection: Connection,
  grantType: string,
  parameters: Readonly<Record<string, string>>,
): Promise<TokenResponse> {
  const metadata = await connection.issuer.metadata();
  try {
    const response = await postAsClient(connection, {
      endpoint: "token",
      address: metadata.token_endpoint,
      members: { ...parameters, grant_type: grantType },
    });
    return await readTokenResponse(connection.issuer, response);
  } catch (error) {
    const offered = metadata.token_endpoint_auth_methods_supported?.join(", ") ?? "unknown";
    throw refusalOfCall(
      error,
      "token_response_invalid",
      `token request with ${clientAuthMethod(connection, metadata)} (the provider lists: ${offered})`,
    );
  }
}
