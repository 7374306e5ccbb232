import type { Config } from "../config/config.ts";
import { parseStrictJSON } from "../crypto/strict-json.ts";
import { Refusal } from "../errors/refusal.ts";
import { redirectURI } from "./authorization-request.ts";
import type { Provider } from "./provider.ts";

/** A successful token response (RFC 6749, 5.1), whose ID token is still to be verified. */
export interface TokenResponse {
  readonly accessToken: string;
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
  /** As granted; absent means: as requested. */
  readonly scope: string | undefined;
  /** Seconds; absent where the provider does not tell. */
  readonly expiresIn: number | undefined;
}

/** Exchanges an authorization code (OpenID Connect Core 3.1.3.1). A code is spent by one try. */
export function requestTokens(
  config: Config,
  provider: Provider,
  grant: { readonly code: string; readonly codeVerifier: string },
): Promise<TokenResponse> {
  return callTokenEndpoint(provider, {
    grant_type: "authorization_code",
    code: grant.code,
    code_verifier: grant.codeVerifier,
    redirect_uri: redirectURI(config),
  });
}

/** What a refresh may ask for; see RFC 8707, section 2.2. */
interface RefreshParameters {
  /** The resource server that the access token shall be for. */
  readonly resource?: string | undefined;
  readonly scope?: string | undefined;
}

/** Spends a refresh token (OpenID Connect Core 12.1). */
export function refreshTokens(
  provider: Provider,
  refreshToken: string,
  { resource, scope }: RefreshParameters = {},
): Promise<TokenResponse> {
  return callTokenEndpoint(provider, {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    ...(resource === undefined ? {} : { resource }),
    ...(scope === undefined ? {} : { scope }),
  });
}

async function callTokenEndpoint(
  provider: Provider,
  parameters: Readonly<Record<string, string>>,
): Promise<TokenResponse> {
  const response = await provider.send({
    endpoint: "token_endpoint",
    parameters,
    expected: 200,
    otherwise: "token_response_invalid",
  });
  const members = parseStrictJSON(await response.arrayBuffer());
  if (members === null) throw invalid("not a JSON object");
  checkTokenType(members["token_type"]);
  const accessToken = textOf(members, "access_token");
  if (accessToken === undefined) throw invalid("no access_token");
  return {
    accessToken,
    idToken: textOf(members, "id_token"),
    refreshToken: textOf(members, "refresh_token"),
    scope: textOf(members, "scope"),
    expiresIn: secondsOf(members["expires_in"]),
  };
}

function checkTokenType(type: unknown): void {
  if (typeof type !== "string") throw invalid("no token_type");
  if (type.toLowerCase() === "bearer") return;
  throw new Refusal("token_type_unknown", { detail: type.slice(0, 20) });
}

/** Some providers write a member that they have no value for as null, or as empty text. */
function textOf(members: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = members[name] ?? "";
  if (typeof value !== "string") throw invalid(`${name} is no text`);
  return value === "" ? undefined : value;
}

/** Some providers write the number as text. */
function secondsOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const seconds = typeof value === "string" ? Number.parseFloat(value) : value;
  if (typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw invalid("expires_in is no number of seconds");
}

function invalid(detail: string): Refusal {
  return new Refusal("token_response_invalid", { detail });
}
