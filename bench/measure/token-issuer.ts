import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type TokenAlgorithm = "ES256" | "RS256";

/** An issuer of access tokens on this machine. */
export interface TokenIssuer {
  readonly issuer: string;
  /** `Authorization` headers, each with a token of its own. */
  readonly inTurn: readonly { readonly authorization: string }[];
  close(): Promise<void>;
}

const lifetimeSeconds = 3600;

/** Publishes one key and signs so many tokens by RFC 9068 with it. */
export async function startTokenIssuer(
  algorithm: TokenAlgorithm,
  audience: string,
  count: number,
): Promise<TokenIssuer> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  const keys = [{ ...(await exportJWK(publicKey)), kid: "key", use: "sig", alg: algorithm }];
  const server = createServer((request, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(request.url === "/keys" ? { keys } : metadataOf(issuer)));
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const iat = Math.floor(Date.now() / 1000);
  const sign = (nth: number) =>
    new SignJWT({
      iss: issuer,
      aud: audience,
      sub: `person-${nth + 10_000}`,
      client_id: "bench",
      scope: "openid profile reports:read reports:write",
      jti: crypto.randomUUID(),
      iat,
      exp: iat + lifetimeSeconds,
    })
      .setProtectedHeader({ alg: algorithm, kid: "key", typ: "at+jwt" })
      .sign(privateKey);
  const tokens = await Promise.all(Array.from({ length: count }, (_, nth) => sign(nth)));
  return {
    issuer,
    inTurn: tokens.map((token) => ({ authorization: `Bearer ${token}` })),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256", "ES256"],
  };
}
