import type { ClientSettings, ProviderSettings } from "./settings.ts";
import { defaultAppURL, defaultClientID, defaultClientSecret } from "./settings.ts";

const allResponseTypes = ["code", "code id_token", "id_token"] as const;

/** The clients that a provider with these settings knows. */
export function clientsOf(settings: ProviderSettings): readonly ClientSettings[] {
  const further = settings.clients ?? [];
  if (further.length > 0 && settings.appURL === undefined) return further;
  return [defaultClient(settings), ...further];
}

function defaultClient(settings: ProviderSettings): ClientSettings {
  const appURL = (settings.appURL ?? defaultAppURL).replace(/\/+$/u, "");
  return {
    id: settings.clientID ?? defaultClientID,
    secret: settings.clientSecret ?? defaultClientSecret,
    name: new URL(appURL).host,
    redirectURIs: [settings.redirectURI ?? `${appURL}/api/auth/callback`],
    postLogoutRedirectURIs: [appURL, `${appURL}/`, `${appURL}/_auth/signed-out`],
    backchannelLogoutURI: `${appURL}/api/auth/backchannel-logout`,
    initiateLoginURI: `${appURL}/api/auth/login`,
    ...settings.client,
  };
}

/** A client in the terms of OpenID Connect Dynamic Client Registration 1.0, section 2. */
export function clientMetadata(client: ClientSettings): Record<string, unknown> {
  const responseTypes = client.responseTypes ?? allResponseTypes;
  const grantTypes = [
    ...(responseTypes.some((type) => type.includes("code")) ? ["authorization_code"] : []),
    ...(responseTypes.some((type) => type.includes("id_token")) ? ["implicit"] : []),
    ...(client.refreshTokens === false ? [] : ["refresh_token"]),
  ];
  return withoutUndefined({
    client_id: client.id,
    client_secret: client.secret,
    client_name: client.name ?? client.id,
    redirect_uris: [...client.redirectURIs],
    post_logout_redirect_uris: [...(client.postLogoutRedirectURIs ?? [])],
    backchannel_logout_uri: client.backchannelLogoutURI,
    backchannel_logout_session_required:
      client.backchannelLogoutURI === undefined ? undefined : true,
    token_endpoint_auth_method: client.authMethod ?? "client_secret_basic",
    response_types: [...responseTypes],
    grant_types: grantTypes,
    id_token_signed_response_alg: client.idTokenSigningAlg ?? "RS256",
    userinfo_signed_response_alg: client.userinfoSigningAlg,
    jwks: client.jwks,
    require_auth_time: true,
    require_pushed_authorization_requests: client.requirePushedRequests,
  });
}

function withoutUndefined(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
