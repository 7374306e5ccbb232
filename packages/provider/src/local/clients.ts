import { exchangeGrants } from "./exchange/exchange-form.ts";
import type { ClientSettings, ProviderSettings } from "./settings.ts";
import { defaultAppURL, defaultClientID, defaultClientSecret } from "./settings.ts";

const allResponseTypes = ["code", "code id_token", "id_token"] as const;

export function clientsOf(settings: ProviderSettings): readonly ClientSettings[] {
  const further = settings.clients ?? [];
  if (further.length > 0 && settings.appURL === undefined) return further;
  return [defaultClient(settings), ...further];
}

function defaultClient(settings: ProviderSettings): ClientSettings {
  const addresses = addressesOf(settings);
  const [first] = addresses;
  return {
    id: settings.clientID ?? defaultClientID,
    secret: settings.clientSecret ?? defaultClientSecret,
    name: settings.appName ?? new URL(first.appURL).host,
    clientURI: `${first.appURL}/`,
    redirectURIs:
      settings.redirectURI === undefined
        ? addresses.map(({ routes }) => `${routes}/callback`)
        : [settings.redirectURI],
    postLogoutRedirectURIs: addresses.flatMap(({ appURL }) => [
      appURL,
      `${appURL}/`,
      `${appURL}/_auth/signed-out`,
    ]),
    backchannelLogoutURI: `${first.routes}/backchannel-logout`,
    initiateLoginURI: `${first.routes}/login`,
    ...settings.client,
  };
}

/** A base URL of the application, and the address of its routes there. */
interface AppAddress {
  readonly appURL: string;
  readonly routes: string;
}

/** A base URL with a star is none that can be registered. */
export function addressesOf({
  appURL = defaultAppURL,
  routesPrefix = "/api/auth",
}: ProviderSettings): readonly [AppAddress, ...AppAddress[]] {
  const [first = defaultAppURL, ...others] = [appURL].flat().filter((each) => !each.includes("*"));
  const addressOf = (written: string): AppAddress => {
    const plain = written.replace(/\/+$/u, "");
    return { appURL: plain, routes: plain + routesPrefix };
  };
  return [addressOf(first), ...others.map(addressOf)];
}

/** An application as the provider's pages show it. */
export interface AppLink {
  readonly name: string;
  /** Its home page; undefined for a client without one and without a redirect URI. */
  readonly url: string | undefined;
  /** The address at which a sign-in from the provider begins (OpenID Connect Core 4). */
  readonly signInURL: string | undefined;
}

/**
 * The links of an application. The address that starts a sign-in gets the issuer as a parameter.
 */
export function appLink(client: ClientSettings, issuer: string): AppLink {
  const { id, name = id, clientURI, initiateLoginURI, redirectURIs } = client;
  const signInURL = initiateLoginURI === undefined ? undefined : new URL(initiateLoginURI);
  signInURL?.searchParams.set("iss", issuer);
  const [redirectURI] = redirectURIs;
  const origin = redirectURI === undefined ? undefined : new URL(redirectURI).origin;
  return { name, url: clientURI ?? origin, signInURL: signInURL?.href };
}

/** A client in the terms of OpenID Connect Dynamic Client Registration 1.0, section 2. */
export function clientMetadata(client: ClientSettings): Record<string, unknown> {
  const responseTypes = client.responseTypes ?? allResponseTypes;
  const grantTypes = [
    ...(responseTypes.some((type) => type.includes("code")) ? ["authorization_code"] : []),
    ...(responseTypes.some((type) => type.includes("id_token")) ? ["implicit"] : []),
    ...(client.refreshTokens === false ? [] : ["refresh_token"]),
    ...(client.tokenExchange === true ? exchangeGrants : []),
  ];
  return withoutUndefined({
    client_id: client.id,
    client_secret: client.secret,
    client_name: client.name ?? client.id,
    client_uri: client.clientURI,
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
    // It would make `openid` a must, but a client without a secret may want an API only.
    require_auth_time: client.authMethod !== "none",
    dpop_bound_access_tokens: client.requireDPoP,
    require_pushed_authorization_requests: client.requirePushedRequests,
  });
}

function withoutUndefined(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
