import { randomUUID } from "node:crypto";
import { SignJWT, importJWK } from "jose";
import type { ProviderKeys } from "../keys.ts";
import type { ClientSettings } from "../settings.ts";

const backChannelLogoutEvent = "http://schemas.openid.net/event/backchannel-logout";
const keyTypes: Readonly<Record<string, string>> = {
  RS256: "RSA",
  PS256: "RSA",
  ES256: "EC",
  EdDSA: "OKP",
};

/** The sessions to end: one by its `sid`, or all of a person by `sub`. One is required. */
export interface LogoutSubject {
  readonly sub?: string;
  readonly sid?: string;
}

/** A signed logout token for one client (Back-Channel Logout 1.0, section 2.4). */
export async function logoutToken(
  issuer: string,
  keys: ProviderKeys,
  client: ClientSettings,
  subject: LogoutSubject,
): Promise<string> {
  const algorithm = client.idTokenSigningAlg ?? "RS256";
  const { key, kid } = await signingKey(keys, client, algorithm);
  return new SignJWT({ ...subject, events: { [backChannelLogoutEvent]: {} } })
    .setProtectedHeader({
      alg: algorithm,
      typ: "logout+jwt",
      ...(kid === undefined ? {} : { kid }),
    })
    .setIssuer(issuer)
    .setAudience(client.id)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime("2m")
    .sign(key);
}

async function signingKey(
  keys: ProviderKeys,
  client: ClientSettings,
  algorithm: string,
): Promise<{ key: Parameters<SignJWT["sign"]>[0]; kid?: string }> {
  if (algorithm === "HS256") return { key: new TextEncoder().encode(client.secret ?? "") };
  const jwk = keys.jwks.keys.find((candidate) => candidate.kty === keyTypes[algorithm]);
  if (jwk?.kid === undefined) throw new Error(`No key signs ${algorithm}.`);
  return { key: await importJWK(jwk, algorithm), kid: jwk.kid };
}
