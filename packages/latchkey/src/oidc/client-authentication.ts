import type { JWK } from "jose";
import { importJWK, importPKCS8 } from "jose/key/import";
import { type ClientAuth, ClientSecretJwt, ClientSecretPost, PrivateKeyJwt } from "oauth4webapi";

import type { Config } from "../config/config.ts";
import { Refusal } from "../errors/refusal.ts";
import type { Metadata } from "./metadata.ts";

type Method = NonNullable<Config["clientAuthMethod"]>;

type Settings = Pick<
  Config,
  "clientAuthMethod" | "clientSecret" | "clientAssertionSigningKey" | "clientAssertionSigningAlg"
>;

/** Returns the configured method, else the most usual one in the provider's metadata. */
export function clientAuthMethod(settings: Settings, metadata: Metadata): Method {
  if (settings.clientAuthMethod !== undefined) return settings.clientAuthMethod;
  if (settings.clientAssertionSigningKey !== undefined) return "private_key_jwt";
  const offered = metadata.token_endpoint_auth_methods_supported;
  return offered !== undefined &&
    !offered.includes("client_secret_basic") &&
    offered.includes("client_secret_post")
    ? "client_secret_post"
    : "client_secret_basic";
}

/**
 * Returns how this client authenticates itself at the provider's endpoints (OpenID Connect Core 9).
 *
 * @throws {Refusal} `client_rejected` if the configured signing key cannot be used
 */
export async function authenticateClient(
  settings: Settings,
  metadata: Metadata,
): Promise<ClientAuth> {
  const { clientSecret = "" } = settings;
  switch (clientAuthMethod(settings, metadata)) {
    case "client_secret_basic":
      return clientSecretBasic(clientSecret);
    case "client_secret_post":
      return ClientSecretPost(clientSecret);
    case "client_secret_jwt":
      return ClientSecretJwt(clientSecret);
    case "private_key_jwt":
      return PrivateKeyJwt(await signingKey(settings));
  }
}

/**
 * HTTP Basic with id and secret form-encoded first (RFC 6749, 2.3.1), and no character more than
 * form encoding does: some providers compare a dash with a dash.
 */
function clientSecretBasic(secret: string): ClientAuth {
  return (_metadata, client, _body, headers) => {
    const credentials = `${formEncode(client.client_id)}:${formEncode(secret)}`;
    headers.set("authorization", `Basic ${btoa(credentials)}`);
  };
}

function formEncode(value: string): string {
  return new URLSearchParams([["", value]]).toString().slice(1);
}

async function signingKey(settings: Settings): Promise<{ key: CryptoKey; kid?: string }> {
  const { clientAssertionSigningKey: text = "", clientAssertionSigningAlg: alg } = settings;
  try {
    if (!text.trimStart().startsWith("{")) return { key: await importPKCS8(text, alg) };
    const jwk = JSON.parse(text) as JWK;
    const key = await importJWK(jwk, alg);
    if (key instanceof Uint8Array) throw new TypeError("not an asymmetric key");
    return { key, ...(jwk.kid === undefined ? {} : { kid: jwk.kid }) };
  } catch (cause) {
    throw new Refusal("client_rejected", {
      cause,
      detail: "LATCHKEY_CLIENT_ASSERTION_SIGNING_KEY cannot be read",
    });
  }
}
