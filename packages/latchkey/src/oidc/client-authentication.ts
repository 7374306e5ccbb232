import type { ConnectionSettings } from "../config/config.ts";
import { asymmetricAlgorithms } from "../config/signing-algorithms.ts";
import { importJWK, importPKCS8 } from "../crypto/import-key.ts";
import { encodeBase64url } from "../crypto/base64url.ts";
import { isJSONObject, type JSONObject, parseJSON } from "../crypto/json-object.ts";
import { randomBytes } from "../crypto/random-bytes.ts";
import { signWithPrivateKey, signWithSecret } from "../crypto/sign-jws.ts";
import { Refusal } from "../errors/refusal.ts";
import type { ClientCredentials, Connection } from "./connection.ts";
import type { Metadata } from "./issuer/metadata.ts";

type Method = NonNullable<ConnectionSettings["clientAuthMethod"]>;

type Client = Pick<
  Connection,
  "clientID" | "clientAuthMethod" | "clientAssertionSigningAlg" | "credentials" | "clock"
>;

/** What shows that a request is of this client. */
export interface ClientProof {
  /** Members of the form. */
  readonly members: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the configured method, else the most usual one in the provider's metadata. */
export function clientAuthMethod(
  client: Pick<Client, "clientAuthMethod" | "credentials">,
  metadata: Metadata,
): Method {
  if (client.clientAuthMethod !== undefined) return client.clientAuthMethod;
  const { clientAssertionSigningKey } = client.credentials.current();
  if (clientAssertionSigningKey !== undefined) return "private_key_jwt";
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
export async function authenticateClient(client: Client, metadata: Metadata): Promise<ClientProof> {
  const { clientID, clientAssertionSigningAlg: alg } = client;
  const { clientSecret = "" } = client.credentials.current();
  switch (clientAuthMethod(client, metadata)) {
    case "client_secret_basic":
      return { members: {}, headers: { authorization: basic(clientID, clientSecret) } };
    case "client_secret_post":
      return { members: { client_id: clientID, client_secret: clientSecret }, headers: {} };
    case "client_secret_jwt":
      return byAssertion(clientID, await signWithSecret(claimsOf(client, metadata), clientSecret));
    case "private_key_jwt": {
      const { key, kid } = await signingKey(client);
      // The older name stands for several curves (RFC 9864).
      const header = { alg: alg === "EdDSA" ? "Ed25519" : alg, kid };
      const claims = claimsOf(client, metadata);
      return byAssertion(clientID, await signWithPrivateKey(header, claims, key));
    }
  }
}

const assertionSeconds = 60;

/** The claims of an assertion, which counts once and for a minute (RFC 7523, section 3). */
function claimsOf({ clientID, clock }: Client, { issuer }: Metadata): JSONObject {
  const now = Math.floor(clock() / 1000);
  return {
    jti: encodeBase64url(randomBytes(32)),
    aud: issuer,
    exp: now + assertionSeconds,
    iat: now,
    nbf: now,
    iss: clientID,
    sub: clientID,
  };
}

/** RFC 7523, section 2.2. */
function byAssertion(clientID: string, assertion: string): ClientProof {
  const members = {
    client_id: clientID,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
  };
  return { members, headers: {} };
}

/**
 * HTTP Basic with id and secret form-encoded first (RFC 6749, 2.3.1), and no character more than
 * form encoding does: some providers compare a dash with a dash.
 */
function basic(clientID: string, secret: string): string {
  return `Basic ${btoa(`${formEncode(clientID)}:${formEncode(secret)}`)}`;
}

function formEncode(value: string): string {
  return new URLSearchParams([["", value]]).toString().slice(1);
}

/** Keys of credentials, ready for one algorithm: with ES256 that takes as long as to sign. */
const readyKeys = new WeakMap<ClientCredentials, SigningKey>();

async function signingKey({
  credentials,
  clientAssertionSigningAlg: alg,
}: Pick<Client, "clientAssertionSigningAlg" | "credentials">): Promise<SigningKey> {
  const inForce = credentials.current();
  const ready = readyKeys.get(inForce);
  if (ready?.alg === alg) return ready;
  try {
    const made = await importSigningKey(inForce.clientAssertionSigningKey ?? "", alg);
    readyKeys.set(inForce, made);
    return made;
  } catch (cause) {
    const suspect = "LATCHKEY_CLIENT_ASSERTION_SIGNING_KEY";
    throw new Refusal("client_rejected", { cause, suspect, detail: `${suspect} cannot be read` });
  }
}

interface SigningKey {
  readonly alg: string;
  readonly key: CryptoKey;
  readonly kid?: string;
}

async function importSigningKey(text: string, alg: string): Promise<SigningKey> {
  if (!text.trimStart().startsWith("{")) return { alg, key: await importPKCS8(text, alg) };
  const jwk = parseJSON(text);
  // The error of `JSON.parse` repeats a piece of the key.
  if (!isJSONObject(jwk)) throw new TypeError("It is no JSON object");
  const key = await importJWK(jwk, alg, "sign");
  return { alg, key, ...(typeof jwk["kid"] === "string" ? { kid: jwk["kid"] } : {}) };
}

/** Returns what is wrong with the configured signing key; `null` if it can sign, or without one. */
export async function findSigningKeyFault({
  clientAssertionSigningKey: text,
  clientAssertionSigningAlg: configured,
}: Pick<ConnectionSettings, "clientAssertionSigningKey" | "clientAssertionSigningAlg">): Promise<
  string | null
> {
  if (text === undefined) return null;
  const fits = (alg: string) =>
    importSigningKey(text, alg).then(
      () => true,
      () => false,
    );
  if (await fits(configured)) return null;
  const results = await Promise.all(asymmetricAlgorithms.map(fits));
  const other = asymmetricAlgorithms.find((_, nth) => results[nth]);
  return other === undefined
    ? "is not a whole private key"
    : `is a key for ${other}, and the algorithm is ${configured}`;
}
