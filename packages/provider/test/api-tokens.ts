import { createLocalJWKSet, generateKeyPair, exportJWK, jwtVerify, SignJWT } from "jose";
import type { JWTPayload, ProtectedHeaderParameters } from "jose";
import type { RunningProvider } from "../src/index.ts";
import { clientOf, jwks, signInAs, tokenRequest } from "./sign-in.ts";

export const notes = {
  identifier: "https://notes.example/api",
  scopes: ["notes:read", "notes:write"],
};

/** Signs Ada in for an API, and returns the response to the token request. */
async function requestAPIToken(
  provider: RunningProvider,
  resource: string,
  scope = "notes:read",
): Promise<Response> {
  const { stop, verifier } = await signInAs(provider, "person-ada", {
    resource,
    scope: `openid ${scope}`,
  });
  return tokenRequest(provider, {
    grant_type: "authorization_code",
    code: stop.url.searchParams.get("code") ?? "",
    redirect_uri: clientOf(provider).redirectURIs[0] ?? "",
    code_verifier: verifier,
    resource,
  });
}

export async function membersOf(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json();
  return typeof body === "object" && body !== null ? { ...body } : {};
}

/** The access token for an API. */
export async function apiToken(
  provider: RunningProvider,
  resource: string,
  scope?: string,
): Promise<string> {
  return String(
    (await membersOf(await requestAPIToken(provider, resource, scope)))["access_token"],
  );
}

export async function readAccessToken(
  provider: RunningProvider,
  token: unknown,
): Promise<{ claims: JWTPayload; header: ProtectedHeaderParameters }> {
  const keys = createLocalJWKSet(await jwks(provider));
  const { payload, protectedHeader } = await jwtVerify(String(token), keys);
  return { claims: payload, header: protectedHeader };
}

/** Creates DPoP proofs for the token endpoint with a key of its own. */
export async function createProver(
  provider: RunningProvider,
): Promise<(nonce?: string) => Promise<string>> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwk = await exportJWK(publicKey);
  return (nonce) =>
    new SignJWT({
      htm: "POST",
      htu: `${provider.issuer}/token`,
      ...(nonce === undefined ? {} : { nonce }),
    })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk })
      .setJti(crypto.randomUUID())
      .setIssuedAt()
      .sign(privateKey);
}
