import type { Config } from "../config/config.ts";
import {
  importPrivateKey,
  importSecret,
  type SignatureKey,
  signClaims,
} from "../crypto/signature.ts";
import { Refusal } from "../errors/refusal.ts";
import type { Metadata } from "./metadata.ts";

type Method = NonNullable<Config["clientAuthMethod"]>;

/** What a request carries that shows which client sends it. */
export interface ClientCredentials {
  readonly headers?: Readonly<Record<string, string>>;
  readonly parameters?: Readonly<Record<string, string>>;
}

type Settings = Pick<
  Config,
  | "clientID"
  | "clientAuthMethod"
  | "clientSecret"
  | "clientAssertionSigningKey"
  | "clientAssertionSigningAlg"
>;

/** The configured method, else the most usual one that the provider's metadata list. */
export function clientAuthMethod(
  settings: Pick<Settings, "clientAuthMethod" | "clientAssertionSigningKey">,
  metadata: Metadata,
): Method {
  if (settings.clientAuthMethod !== undefined) return settings.clientAuthMethod;
  if (settings.clientAssertionSigningKey !== undefined) return "private_key_jwt";
  const offered = metadata.token_endpoint_auth_methods_supported;
  return offered !== undefined &&
    !offered.includes("client_secret_basic") &&
    offered.includes("client_secret_post")
    ? "client_secret_post"
    : "client_secret_basic";
}

/** What a client assertion is made of. */
export interface AssertionParts {
  /** Epoch seconds. */
  readonly now: number;
  /** Text that no other assertion has. */
  readonly id: string;
}

/**
 * How this client authenticates itself at the provider's endpoints (OpenID Connect Core 9).
 *
 * @throws {Refusal} `client_rejected` where the configured signing key cannot be used
 */
export async function authenticateClient(
  settings: Settings,
  metadata: Metadata,
  parts: AssertionParts,
): Promise<ClientCredentials> {
  const { clientID, clientSecret = "" } = settings;
  const method = clientAuthMethod(settings, metadata);
  switch (method) {
    case "client_secret_basic":
      return { headers: { authorization: basic(clientID, clientSecret) } };
    case "client_secret_post":
      return { parameters: { client_id: clientID, client_secret: clientSecret } };
    case "client_secret_jwt":
    case "private_key_jwt": {
      const key = await assertionKey(settings, method);
      const assertion = await signClaims(assertionClaims(clientID, metadata.issuer, parts), key);
      return { parameters: assertionParameters(clientID, assertion) };
    }
  }
}

/**
 * HTTP Basic with id and secret form-encoded first (RFC 6749, 2.3.1), and no character more than
 * form encoding does: some providers compare a dash with a dash.
 */
function basic(id: string, secret: string): string {
  return `Basic ${btoa(`${formEncode(id)}:${formEncode(secret)}`)}`;
}

function formEncode(value: string): string {
  return new URLSearchParams([["", value]]).toString().slice(1);
}

const assertionLifeSeconds = 60;

/** RFC 7523, section 3; the audience is the issuer, and nobody but it takes the assertion. */
function assertionClaims(client: string, issuer: string, { now, id }: AssertionParts) {
  return {
    iss: client,
    sub: client,
    aud: issuer,
    jti: id,
    iat: now,
    nbf: now,
    exp: now + assertionLifeSeconds,
  };
}

/** RFC 7523, section 2.2. */
function assertionParameters(client: string, assertion: string) {
  return {
    client_id: client,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
  };
}

async function assertionKey(settings: Settings, method: Method): Promise<SignatureKey> {
  const { clientSecret = "", clientAssertionSigningKey: text = "" } = settings;
  try {
    if (method === "client_secret_jwt") return await importSecret(clientSecret, "HS256");
    return await importPrivateKey(text, settings.clientAssertionSigningAlg);
  } catch (cause) {
    const variable =
      method === "client_secret_jwt" ? "CLIENT_SECRET" : "CLIENT_ASSERTION_SIGNING_KEY";
    throw new Refusal("client_rejected", { cause, detail: `LATCHKEY_${variable} cannot be read` });
  }
}
