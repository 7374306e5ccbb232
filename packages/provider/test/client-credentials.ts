import { SignJWT, exportJWK, generateKeyPair } from "jose";
import type { JWK } from "jose";
import type { HostileClient } from "../src/hostile/index.ts";

/** The client's own key, for `private_key_jwt`. */
export interface ClientKey {
  readonly privateKey: CryptoKey;
  readonly jwks: { keys: JWK[] };
}

export async function makeClientKey(): Promise<ClientKey> {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  return { privateKey, jwks: { keys: [await exportJWK(publicKey)] } };
}

/** The client authentication of a token request. */
export async function clientCredentials(
  method: string,
  client: Pick<HostileClient, "id" | "secret">,
  issuer: string,
  key: ClientKey,
): Promise<{ headers: Record<string, string>; form: [string, string][] }> {
  const { id, secret } = client;
  switch (method) {
    case "client_secret_basic": {
      const pair = `${encodeForm(id)}:${encodeForm(secret)}`;
      const authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
      return { headers: { authorization }, form: [] };
    }
    case "client_secret_post":
      return {
        headers: {},
        form: [
          ["client_id", id],
          ["client_secret", secret],
        ],
      };
    case "client_secret_jwt":
      return assertion(id, issuer, "HS256", Buffer.from(secret));
    default:
      return assertion(id, issuer, "ES256", key.privateKey);
  }
}

async function assertion(
  id: string,
  issuer: string,
  alg: string,
  key: CryptoKey | Uint8Array,
): Promise<{ headers: Record<string, string>; form: [string, string][] }> {
  const token = await new SignJWT({})
    .setProtectedHeader({ alg })
    .setIssuer(id)
    .setSubject(id)
    .setAudience(issuer)
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime("1m")
    .sign(key);
  const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
  return {
    headers: {},
    form: [
      ["client_id", id],
      ["client_assertion_type", type],
      ["client_assertion", token],
    ],
  };
}

function encodeForm(text: string): string {
  return new URLSearchParams({ x: text }).toString().slice(2);
}
