import type { Config, ConnectionSettings } from "../config/config.ts";
import { defaultID } from "../config/constants.ts";
import { callbackPath } from "../config/routes.ts";
import { sha256 } from "../crypto/digest.ts";
import type { Connection } from "./connection.ts";
import { pushAuthorizationRequest } from "./pushed-authorization-request.ts";
import type { RequestParameters } from "./request-parameters.ts";

/** What is new in each authorization request. */
export interface AuthorizationRequest {
  /** Of the site at which the sign-in starts. */
  readonly redirectURI: string;
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636); absent for response types without a code. */
  readonly codeVerifier?: string | undefined;
  readonly maxAge?: number | undefined;
  /** Parameters of this sign-in alone, e.g. `prompt` or `login_hint`. */
  readonly extra?: Readonly<Record<string, string>> | undefined;
}

/**
 * The redirect URI of a client at a site (OpenID Connect Core 3.1.2.1); by default that of the
 * client of the flat settings.
 */
export function redirectURI(
  { baseURL, routes }: Pick<Config, "baseURL" | "routes">,
  { uses, callback }: Pick<ConnectionSettings, "uses" | "callback"> = ofDefault,
): string {
  return baseURL + callbackPath(routes, callback === "shared" ? defaultID : uses);
}

const ofDefault = { uses: defaultID, callback: "own" } as const;

/** Whether the provider's response comes as a POST of its own page, without our session cookie. */
export function postsResponse({ responseMode }: Pick<Connection, "responseMode">): boolean {
  return responseMode === "form_post";
}

/** Whether a sign-in brings a code, and with it tokens. */
export function usesCode({ responseType }: Pick<Connection, "responseType">): boolean {
  return responseType !== "id_token";
}

/** Whether every sign-in forbids the provider to show a page (OpenID Connect Core 3.1.2.1). */
export function isAlwaysSilent(connection: Pick<Connection, "authorizationParams">): boolean {
  return connection.authorizationParams["prompt"] === "none";
}

/** Returns what is new in each authorization request, and the age limit of the settings. */
export function newRequest(
  connection: Pick<Connection, "responseType" | "maxAge">,
  randomText: (bytes: number) => string,
): Pick<AuthorizationRequest, "nonce" | "codeVerifier" | "maxAge"> {
  return {
    nonce: randomText(32),
    codeVerifier: usesCode(connection) ? randomText(32) : undefined,
    maxAge: connection.maxAge,
  };
}

/**
 * Returns the address that starts sign-in at the provider (OpenID Connect Core 3.1.2.1). It holds
 * the parameters, or the name of a request pushed beforehand (RFC 9126) if the settings or the
 * provider require it.
 */
export async function authorizationURL(
  connection: Connection,
  request: AuthorizationRequest,
): Promise<string> {
  const metadata = await connection.issuer.metadata();
  const parameters = authorizationParameters(connection, request);
  return withQuery(
    metadata.authorization_endpoint,
    isPushed(connection, metadata)
      ? await pushAuthorizationRequest(connection, parameters)
      : parameters,
  );
}

/** Whether a request goes to the provider before its browser (RFC 9126). */
export function isPushed(
  {
    pushedAuthorizationRequests: isWanted,
  }: Pick<ConnectionSettings, "pushedAuthorizationRequests">,
  metadata: {
    readonly require_pushed_authorization_requests?: unknown;
    readonly pushed_authorization_request_endpoint?: unknown;
  },
): boolean {
  if (metadata.require_pushed_authorization_requests === true) return true;
  if (isWanted !== "if-offered") return isWanted;
  return metadata.pushed_authorization_request_endpoint !== undefined;
}

function authorizationParameters(
  connection: Connection,
  { redirectURI: redirect_uri, state, nonce, codeVerifier, maxAge, extra }: AuthorizationRequest,
): RequestParameters {
  return {
    ...(connection.organization === undefined ? {} : { organization: connection.organization }),
    ...connection.authorizationParams,
    ...(connection.resources.length === 0 ? {} : { resource: connection.resources }),
    ...extra,
    client_id: connection.clientID,
    redirect_uri,
    response_type: connection.responseType,
    ...(connection.responseMode === "form_post" ? { response_mode: "form_post" } : {}),
    scope: connection.scope,
    state,
    nonce,
    ...(maxAge === undefined ? {} : { max_age: `${maxAge}` }),
    ...(codeVerifier === undefined
      ? {}
      : {
          code_challenge: sha256(codeVerifier),
          code_challenge_method: "S256",
        }),
  };
}

/** Adds parameters to an address and its query; spaces become `%20`, which all servers read. */
export function withQuery(address: string, parameters: RequestParameters): string {
  const url = new URL(address);
  const query = new URLSearchParams(url.search);
  for (const [name, values] of Object.entries(parameters)) {
    const [first, ...others] = [values].flat();
    if (first !== undefined) query.set(name, first);
    for (const other of others) query.append(name, other);
  }
  url.search = query.toString().replaceAll("+", "%20");
  return url.href;
}
