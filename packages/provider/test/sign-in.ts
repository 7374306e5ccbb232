import { createHash, randomBytes } from "node:crypto";
import { createLocalJWKSet, jwtVerify } from "jose";
import type { JSONWebKeySet, JWTPayload, ProtectedHeaderParameters } from "jose";
import type { ClientSettings, RunningIssuer } from "../src/index.ts";
import type { Answer, Browser } from "../../latchkey/test/browser/browser.ts";
import { createProviderBrowser } from "./browser.ts";

/** A response of the token endpoint. */
export interface Tokens {
  readonly access_token?: string;
  readonly id_token?: string;
  readonly refresh_token?: string;
  readonly scope?: string;
  readonly error?: string;
}

export function clientOf(provider: RunningIssuer): ClientSettings {
  const client = provider.clients[0];
  if (client === undefined) throw new Error("no client");
  return client;
}

/** An authorization request with the values to check its response against. */
export function authorizationRequest(
  provider: RunningIssuer,
  parameters: Record<string, string> = {},
): { url: string; verifier: string; nonce: string } {
  const client = clientOf(provider);
  const verifier = randomBytes(32).toString("base64url");
  const nonce = randomBytes(16).toString("base64url");
  const url = new URL(`${provider.url}/auth`);
  url.search = new URLSearchParams({
    client_id: client.id,
    redirect_uri: client.redirectURIs[0] ?? "",
    response_type: "code",
    scope: "openid profile email",
    state: "the-state",
    nonce,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...parameters,
  }).toString();
  return { url: url.href, verifier, nonce };
}

/** Signs a person in with a new browser, up to the redirect to the application. */
export async function signInAs(
  provider: RunningIssuer,
  person: string,
  parameters: Record<string, string> = {},
): Promise<{ browser: Browser; stop: Answer; verifier: string; nonce: string }> {
  const request = authorizationRequest(provider, parameters);
  const browser = createProviderBrowser(provider.url);
  const page = await browser.open(request.url);
  return { browser, stop: await browser.press(page, "person", person), ...request };
}

interface TokenRequestOptions {
  readonly client?: ClientSettings;
  readonly headers?: Readonly<Record<string, string>>;
}

export function tokenRequest(
  provider: RunningIssuer,
  parameters: Record<string, string>,
  { client = clientOf(provider), headers = {} }: TokenRequestOptions = {},
): Promise<Response> {
  const { id, secret = "" } = client;
  const credentials = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`);
  return fetch(`${provider.url}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${credentials.toString("base64")}`, ...headers },
    body: new URLSearchParams(parameters),
  });
}

export async function exchange(
  provider: RunningIssuer,
  { stop, verifier }: { stop: Answer; verifier: string },
): Promise<Tokens> {
  const response = await tokenRequest(provider, {
    grant_type: "authorization_code",
    code: stop.url.searchParams.get("code") ?? "",
    redirect_uri: clientOf(provider).redirectURIs[0] ?? "",
    code_verifier: verifier,
  });
  return tokensOf(response);
}

export async function tokensOf(response: Response): Promise<Tokens> {
  const body: unknown = await response.json();
  return typeof body === "object" && body !== null ? body : {};
}

/** Checks an ID token with the published keys of the provider. */
export async function verifyToken(
  provider: RunningIssuer,
  token: string | undefined,
): Promise<{ claims: JWTPayload; header: ProtectedHeaderParameters }> {
  const client = clientOf(provider);
  const options = { issuer: provider.issuer, audience: client.id };
  const key = await verificationKey(provider, client);
  const { payload, protectedHeader } = await (typeof key === "function"
    ? jwtVerify(token ?? "", key, options)
    : jwtVerify(token ?? "", key, options));
  return { claims: payload, header: protectedHeader };
}

async function verificationKey(provider: RunningIssuer, client: ClientSettings) {
  if (client.idTokenSigningAlg === "HS256") return new TextEncoder().encode(client.secret);
  return createLocalJWKSet(await jwks(provider));
}

export async function jwks(provider: RunningIssuer): Promise<JSONWebKeySet> {
  const body: unknown = await (await fetch(`${provider.url}/jwks`)).json();
  if (typeof body !== "object" || body === null || !("keys" in body)) throw new Error("no keys");
  return Array.isArray(body.keys) ? { keys: body.keys } : { keys: [] };
}
