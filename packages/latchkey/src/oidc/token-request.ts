import {
  type AuthorizationServer,
  genericTokenEndpointRequest,
  processGenericTokenEndpointResponse,
} from "oauth4webapi";

import type { Config } from "../config/config.ts";
import { withoutNulls } from "../crypto/json-object.ts";
import { parseStrictJSON } from "../crypto/strict-json.ts";
import { Refusal } from "../errors/refusal.ts";
import { redirectURI } from "./authorization-request.ts";
import { callOptions, clientOf, refusalOfCall } from "./client-call.ts";
import { authenticateClient, clientAuthMethod } from "./client-authentication.ts";
import type { Provider } from "./provider.ts";

/** A successful token response (RFC 6749, 5.1), whose ID token is still to be verified. */
export interface TokenResponse {
  readonly accessToken: string;
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
  /** As granted; absent means: as requested. */
  readonly scope: string | undefined;
  /** Seconds; absent if the provider does not send it. See {@link endOfAccessToken}. */
  readonly expiresIn: number | undefined;
  /** What token exchange has issued (RFC 8693, 2.2.1). */
  readonly issuedTokenType?: unknown;
}

/**
 * Returns when the access token of a response ends, in epoch seconds; `undefined` if that is
 * unknown. Some providers send 0 for a token without an end.
 */
export function endOfAccessToken(
  { expiresIn = 0 }: TokenResponse,
  receivedAt: number,
): number | undefined {
  return expiresIn >= 1 ? receivedAt + Math.floor(expiresIn) : undefined;
}

/** Exchanges an authorization code (OpenID Connect Core 3.1.3.1). A code is spent by one try. */
export function requestTokens(
  config: Config,
  provider: Provider,
  grant: { readonly code: string; readonly codeVerifier: string },
): Promise<TokenResponse> {
  return callTokenEndpoint(config, provider, "authorization_code", {
    code: grant.code,
    code_verifier: grant.codeVerifier,
    redirect_uri: redirectURI(config),
  });
}

/** The access token requested by a refresh. */
export interface WantedToken {
  /** Its resource server (RFC 8707, section 2.2); `undefined` for the token of the sign-in. */
  readonly resource?: string | undefined;
  /** Requested together with a resource. */
  readonly scope?: string | undefined;
}

/** Sends a refresh token (OpenID Connect Core 12.1). `RefreshTickets` ensures a single use. */
export function refreshTokens(
  config: Config,
  provider: Provider,
  refreshToken: string,
  { resource, scope }: WantedToken = {},
): Promise<TokenResponse> {
  return callTokenEndpoint(config, provider, "refresh_token", {
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
  config: Config,
  provider: Provider,
  grantType: string,
  parameters: Readonly<Record<string, string>>,
): Promise<TokenResponse> {
  const metadata = await provider.metadata();
  try {
    const response = await genericTokenEndpointRequest(
      metadata,
      clientOf(config),
      await authenticateClient(config, metadata),
      grantType,
      { ...parameters },
      callOptions(config, provider.fetch, "token"),
    );
    return await readTokenResponse(config, metadata, response);
  } catch (error) {
    const offered = metadata.token_endpoint_auth_methods_supported?.join(", ") ?? "unknown";
    throw refusalOfCall(
      error,
      "token_response_invalid",
      `token request with ${clientAuthMethod(config, metadata)} (the provider lists: ${offered})`,
    );
  }
}

/** The OAuth library reads the response without the ID token, which `verifyIDToken` verifies. */
async function readTokenResponse(
  config: Config,
  metadata: AuthorizationServer,
  response: Response,
): Promise<TokenResponse> {
  if (response.status !== 200) {
    await processGenericTokenEndpointResponse(metadata, clientOf(config), response);
    throw new Refusal("token_response_invalid", { detail: `status ${response.status}` });
  }
  const members = parseStrictJSON(await response.arrayBuffer());
  if (members === null)
    throw new Refusal("token_response_invalid", { detail: "not a JSON object" });
  checkTokenType(members["token_type"]);
  const { id_token: idToken, ...oauthMembers } = withoutNulls(members);
  const tokens = await processGenericTokenEndpointResponse(
    metadata,
    clientOf(config),
    Response.json(oauthMembers),
  );
  return {
    accessToken: tokens.access_token,
    idToken: typeof idToken === "string" ? idToken : undefined,
    refreshToken: tokens.refresh_token,
    scope: tokens.scope === "" ? undefined : tokens.scope,
    expiresIn: tokens.expires_in,
    issuedTokenType: tokens["issued_token_type"],
  };
}

function checkTokenType(type: unknown): void {
  if (typeof type === "string" && type.toLowerCase() !== "bearer") {
    throw new Refusal("token_type_unknown", { detail: type.slice(0, 20) });
  }
}
